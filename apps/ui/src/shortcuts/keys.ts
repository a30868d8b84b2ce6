/** A key as people write it: `mod+k`, `shift+?`, `j`. `mod` is ⌘ on a Mac and Ctrl elsewhere. */
export type KeyName = string;

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

const NAMES: Record<string, string> = {
  " ": "space",
  arrowup: "up",
  arrowdown: "down",
  arrowleft: "left",
  arrowright: "right",
};

/** The name of what was pressed; a letter's shift counts, a sign's does not (`?` is `?` on every keyboard). */
export function keyNameOf(pressed: Pressed): KeyName {
  const lower = pressed.key.toLowerCase();
  const name = NAMES[lower] ?? lower;
  const isSign = name.length === 1 && !/[a-z0-9]/.test(name);
  const parts = [
    pressed.ctrlKey || pressed.metaKey ? "mod" : "",
    pressed.altKey ? "alt" : "",
    pressed.shiftKey && !isSign ? "shift" : "",
    name,
  ];
  return parts.filter((part) => part !== "").join("+");
}

/** What a key is called on this machine. */
export function shownKey(name: KeyName, isMac: boolean): string {
  return name
    .split("+")
    .map((part) => (part === "mod" ? (isMac ? "⌘" : "Ctrl") : part.length === 1 ? part.toUpperCase() : part))
    .join(isMac ? "" : "+");
}

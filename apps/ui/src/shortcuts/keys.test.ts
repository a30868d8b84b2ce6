import { expect, test } from "vitest";
import { keyNameOf, shownKey } from "./keys.ts";

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test.for([
  { pressed: { ...none, key: "j" }, name: "j" },
  { pressed: { ...none, key: "J", shiftKey: true }, name: "shift+j" },
  { pressed: { ...none, key: "k", ctrlKey: true }, name: "mod+k" },
  { pressed: { ...none, key: "k", metaKey: true }, name: "mod+k" },
  { pressed: { ...none, key: "?", shiftKey: true }, name: "?" },
  { pressed: { ...none, key: "]" }, name: "]" },
  { pressed: { ...none, key: "ArrowDown" }, name: "down" },
  { pressed: { ...none, key: "Enter" }, name: "enter" },
  { pressed: { ...none, key: " " }, name: "space" },
])("$pressed.key is called $name", ({ pressed, name }) => {
  expect(keyNameOf(pressed)).toBe(name);
});

test("a key is shown as the machine's keyboard names it", () => {
  expect(shownKey("mod+k", true)).toBe("⌘K");
  expect(shownKey("mod+k", false)).toBe("Ctrl+K");
});

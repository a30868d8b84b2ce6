import { plainText } from "./text.ts";

/**
 * Makes text harmless for terminals, markdown and HTML: no control characters, no markup that can run or load
 * anything. Harmless text, generics such as `Map<string, number>` included, stays as it is.
 */
export function sanitise(text: string): string {
  return defuseTags(defuseLinks(plainText(text)));
}

/** The same value with every text in it sanitised, keys included. */
export function sanitiseDeep<T>(value: T): T;
export function sanitiseDeep(value: unknown): unknown {
  if (typeof value === "string") return sanitise(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => sanitiseDeep(entry));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [sanitise(key), sanitiseDeep(entry)]));
}

// A link target decodes character references, so those are defused too and the scheme is broken by a space.
function defuseLinks(text: string): string {
  return text
    .replace(/&(?=#|colon;|tab;|newline;)/giu, "&amp;")
    .replace(/((?:java|vb)script)\s*:/giu, "$1 :")
    .replace(/\b(data)\s*:(?=\s*(?:text\/html|image\/svg))/giu, "$1 :");
}

// These elements do something by themselves; any other needs an attribute with a value.
const ACTIVE = new RegExp(
  `^(?:${[
    "script|style|iframe|frame|frameset|object|embed|applet|svg|math|base|link|meta|form",
    "template|plaintext|xmp|noscript|textarea|title",
  ].join("|")})$`,
  "iu",
);

/** What follows a `<`: where the tag's name would end, and whether a value or the tag's end comes first after that. */
interface Ahead {
  nameEnd: number;
  next: "=" | ">" | "";
}

// Read from the right, so that every `<` knows what lies ahead of it and hostile text costs no more than other text.
function defuseTags(text: string): string {
  const pieces: string[] = [];
  let end = text.length;
  let stop: Ahead["next"] = "";
  let ahead: Ahead = { nameEnd: text.length, next: "" };
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text.charAt(at);
    if (character === "<" && isActive(text, at + 1, ahead)) {
      pieces.push(text.slice(at + 1, end), "&lt;");
      end = at;
    }
    if (character === "=" || character === ">") stop = character;
    // The slash of a closing tag does not end a name.
    if (/[\s>]/u.test(character) || (character === "/" && text.charAt(at - 1) !== "<")) {
      ahead = { nameEnd: at, next: stop };
    }
  }
  pieces.push(text.slice(0, end));
  return pieces.reverse().join("");
}

function isActive(text: string, start: number, { nameEnd, next }: Ahead): boolean {
  if (/[!?]/u.test(text.charAt(start))) return true;
  const nameStart = text.charAt(start) === "/" ? start + 1 : start;
  if (!/[a-z]/iu.test(text.charAt(nameStart))) return false;
  return next === "=" || (nameEnd - nameStart <= 20 && ACTIVE.test(text.slice(nameStart, nameEnd)));
}

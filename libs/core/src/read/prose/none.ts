import { namesLocation } from "./location.ts";
import { bare, withoutEmphasis } from "./markdown.ts";

const MAX_CHARACTERS = 300;

/** Whether a line says in the given words that there is nothing, with at most a short remark behind it. */
export function saysNone(text: string, words: RegExp): boolean {
  if (text.length > MAX_CHARACTERS) return false;
  const shown = withoutEmphasis(text.replace(/`(none[^`]{0,20})`/i, "$1"))
    .replace(/^[-*+•]\s+/, "")
    .replace(/(?:\s|[✅✔☑🎉👍]|\uFE0F)+$/u, "")
    .replace(/^[_*(]+(.*?)[_*)]+$/, "$1");
  const [sentence = ""] = shown.split(/[.!](?:\s|$)|\s*\(|\s+[-–—]\s+/);
  if (
    !words.test(
      bare(sentence)
        .replace(/[_*()]/g, "")
        .trim(),
    )
  )
    return false;
  return !namesLocation(shown);
}

import { clausesOfText } from "./clauses.ts";
import { defect, demand, namesLocation, objection } from "./dissent.ts";
import { bare, withoutEmphasis } from "./markdown.ts";

const MAX_CHARACTERS = 300;

/** Whether a line says in the given words that there is nothing, with at most a remark behind it that names no defect. */
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
  const remark = clausesOfText(shown.slice(sentence.length).replace(/^[\s.!()–—-]+/, ""));
  const complaint =
    objection(remark) ?? demand(remark) ?? defect(remark) ?? remark.find((clause) => CONTRAST.test(clause));
  return complaint === undefined && !namesLocation(shown);
}

const CONTRAST = /^(?:but|however|yet|though|although|except|apart from|aside from|other than|besides|nevertheless)\b/;

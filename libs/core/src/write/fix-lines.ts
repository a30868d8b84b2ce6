import type { FixAccount, FixedFinding } from "../lineage/fix-account.ts";
import { locationText, oneLine } from "../text/text.ts";

const LONGEST_BRIEF = 60;
const LONGEST_TITLE = 72;
const MOST_NAMED = 10;

/** What a fix settles, in a few words for the first line of its message. */
export function fixBrief({ fixed, open }: FixAccount): string {
  const titles = fixed.map(({ title }) => oneLine(title)).filter((title) => title !== "");
  const [first = "", ...others] = titles;
  if (first === "") return open.length === 0 ? "review findings" : "its findings are still open";
  return others.length === 0 ? cut(first, LONGEST_BRIEF) : `${cut(first, LONGEST_BRIEF)} and ${others.length} more`;
}

/** The paragraph of a message that its first line is too short for: nothing where that says all. */
export function fixLines(account: FixAccount): string {
  const isMentioned = account.fixed.length === 1 && account.open.length === 0 && account.beyond === undefined;
  return isMentioned ? "" : paragraph(account);
}

/** The same for messages whose words a seed gives: nothing where all is settled. */
export function leftLines(account: FixAccount): string {
  return account.open.length === 0 && account.beyond === undefined ? "" : paragraph(account);
}

function paragraph({ fixed, open, beyond = [] }: FixAccount): string {
  const lines = [
    ...(fixed.length === 0 ? [] : [`Fixed: ${listed(fixed)}`]),
    ...(open.length === 0 ? [] : [`Still open: ${listed(open)}`]),
    ...(beyond.length === 0 ? [] : [`Also changed, beyond the findings: ${pathsText(beyond)}`]),
  ];
  return lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
}

/** Names of files are the fixer's own words, too. */
function pathsText(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_NAMED).map(oneLine);
  const more = paths.length - named.length;
  return [...named, ...(more === 0 ? [] : [`and ${more} more`])].join(", ");
}

function listed(findings: readonly FixedFinding[]): string {
  const named = findings.slice(0, MOST_NAMED).map(titled);
  const more = findings.length - named.length;
  return [...named, ...(more === 0 ? [] : [`and ${more} more`])].join("; ");
}

function titled({ title, file, line, isRefuted }: FixedFinding): string {
  const place = locationText({ file, line });
  const refuted = isRefuted ? ", refuted" : "";
  return `${cut(oneLine(title), LONGEST_TITLE)}${place === "" ? "" : ` (${place})`}${refuted}`;
}

function cut(text: string, longest: number): string {
  const letters = [...text];
  return letters.length > longest ? `${letters.slice(0, longest).join("").trimEnd()}…` : text;
}

import { counted, type Runner, total } from "./runner.ts";

const COUNTS = /^(?:=+ )?(?:\d+ [a-z]+, )*\d+ [a-z]+ in [\d.]+s\b/;

/** pytest's short summary: failed tests and errors by node id. */
export const pytest: Runner = (lines) => {
  const counts = lines.filter((line) => COUNTS.test(line));
  const isPytest = lines.some((line) => /^=+ (test session starts|short test summary info) =+$/.test(line));
  if (!isPytest) return null;
  const names = lines.flatMap((line) => {
    const id = /^(?:FAILED|ERROR) (\S.*)$/.exec(line)?.[1];
    return id === undefined ? [] : [withoutMessage(id)];
  });
  const failed = total(counts, /\b(\d+) failed\b/) + total(counts, /\b(\d+) errors?\b/);
  return counts.length > 0 ? counted(names, failed) : { names, account: "partial" };
};

/** A node id may itself hold the separator, inside its brackets. */
function withoutMessage(text: string): string {
  const [first = "", ...rest] = text.split(" - ");
  let id = first;
  for (const part of rest) {
    if (count(id, "[") <= count(id, "]")) break;
    id += ` - ${part}`;
  }
  return id;
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

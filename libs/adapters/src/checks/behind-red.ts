import { resolve } from "node:path";
import type { Argv } from "@anneal/system/programs/command";
import { failFast } from "./fail-fast.ts";
import { scriptLine } from "./package-scripts.ts";
import { plainPieces, quoted, type ShellCommand, type ShellLine, shellLine } from "./shell-line.ts";

/** What is to be run so that nothing stays hidden behind what is red; or why that is not known. */
export type Behind = { further: Argv[]; first?: Argv } | { unknown: string };

/**
 * What a command, run in a folder, does not get to because a program in it is red. In `a && b`, that is each program behind the first:
 * the same line up to it is run, with the others run whatever they come to. Scripts of package.json are such lines, too.
 * A line that may stop in other places hides what comes after. `first` is the first program alone, where others are behind it.
 */
export async function behindRed(argv: Argv, folder: string, depth = 0): Promise<Behind> {
  const stops = failFast(argv);
  if (stops !== null) return { unknown: stops };
  if (depth > DEEPEST) return { unknown: `\`${quoted(argv)}\` runs itself: correct the script` };
  const line = shellLine(argv) ?? (await scriptLine(argv, folder));
  if (line === null) return { further: [] };
  return "unknown" in line ? line : await behindInLine(line, folder, depth);
}

const DEEPEST = 10;

async function behindInLine({ text, runs, endsAtFailure }: ShellLine, folder: string, depth: number): Promise<Behind> {
  const cut = plainPieces(text);
  if (cut === null) return { unknown: halfWay(text) };
  const mayEnd = endsAtFailure || cut.pieces.some(bringsSettings);
  if (cut.joined === ";" && cut.pieces.length > 1 && mayEnd) return { unknown: halfWay(text) };
  const hidden: string[] = [];
  let first = "";
  let [before, programs, where] = ["", 0, folder];
  for (const piece of cut.pieces) {
    if (piece.changesShell) {
      before += `${piece.text} ${cut.joined} `;
      where = folderAfter(piece, where);
      continue;
    }
    const inside = await behindRed(piece.argv, where, depth + 1);
    if ("unknown" in inside) return inside;
    if (programs === 0) first = `${before}${inside.first ? `${piece.variables}${quoted(inside.first)}` : piece.text}`;
    if (programs > 0 && cut.joined === "&&") hidden.push(`${before}${piece.text}`);
    hidden.push(...inside.further.map((further) => `${before}${piece.variables}${quoted(further)}`));
    before += `${piece.text} || :; `;
    programs += 1;
  }
  if (hidden.length > 0 && runs === null) return { unknown: halfWay(text) };
  const whole = (text: string): Argv => [...(runs ?? [""]), text];
  const isSplit = cut.joined === "&&" && hidden.length > 0;
  return { further: hidden.map(whole), ...(isSplit ? { first: whole(first) } : {}) };
}

/** A file that a shell takes in may set `-e` there. What Python makes to step into an environment does not. */
function bringsSettings({ argv: [program, file = ""] }: ShellCommand): boolean {
  return (program === "source" || program === ".") && !/(?:^|\/)bin\/activate$/.test(file);
}

function folderAfter({ argv: [program, to = ""] }: ShellCommand, folder: string): string {
  return program === "cd" || program === "pushd" ? resolve(folder, to) : folder;
}

function halfWay(text: string): string {
  const advice = "let the test command name programs without variables, joined only by && or only by ;";
  return `\`${text}\` may have stopped before its last program, so other failures stay unknown: ${advice}`;
}

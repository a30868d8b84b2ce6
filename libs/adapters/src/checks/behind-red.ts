import type { Argv } from "../command.ts";
import { failFast } from "./fail-fast.ts";
import { type Line, plainPieces, quoted, shellLine } from "./shell-line.ts";

/** What is to be run so that nothing stays hidden behind what is red; or why that is not known. */
export type Behind = { further: Argv[] } | { unknown: string };

/**
 * What a command does not get to because a program in it is red. In `a && b`, that is each program behind the first: the same line up
 * to it is run, with the others run whatever they come to. A line that may stop in other places hides what cannot be told.
 */
export function behindRed(argv: Argv): Behind {
  const stops = failFast(argv);
  if (stops !== null) return { unknown: stops };
  const line = shellLine(argv);
  return line === null ? { further: [] } : behindInLine(line);
}

function behindInLine({ text, runs, endsAtFailure }: Line): Behind {
  const cut = plainPieces(text);
  if (cut === null || (cut.joined === ";" && cut.pieces.length > 1 && endsAtFailure)) return { unknown: halfWay(text) };
  const hidden: string[] = [];
  let before = "";
  let programs = 0;
  for (const piece of cut.pieces) {
    if (piece.changesShell) {
      before += `${piece.text} ${cut.joined} `;
      continue;
    }
    const inside = behindRed(piece.argv);
    if ("unknown" in inside) return inside;
    if (programs > 0 && cut.joined === "&&") hidden.push(`${before}${piece.text}`);
    hidden.push(...inside.further.map((further) => `${before}${piece.variables}${quoted(further)}`));
    before += `${piece.text} || :; `;
    programs += 1;
  }
  if (hidden.length > 0 && runs === null) return { unknown: halfWay(text) };
  return { further: hidden.map((one) => [...(runs ?? [""]), one]) };
}

function halfWay(text: string): string {
  const advice = "name programs without variables, joined by && only or by ; only, as the test command";
  return `\`${text}\` may end half way, so that what it did not get to is not known: ${advice}`;
}

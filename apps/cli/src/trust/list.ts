import { type ShownProgram, shortHash } from "@anneal/engine/consent";
import { harmlessLine, type Paint } from "../style.ts";

const SAYS = { agreed: "allowed", changed: "changed since you allowed it", new: "not allowed" } as const;

/** Programs as a person reads them before they say yes: every word of a command, never cut short. */
export function programLines(programs: readonly ShownProgram[], paint: Paint): string[] {
  return programs.flatMap(({ use, command, place, files, hash, standing, at }) => {
    const covers = files.filter((file) => file !== place);
    const mark = standing === "agreed" ? paint("green", "✔") : paint("yellow", "?");
    const said = paint(standing === "agreed" ? "dim" : "yellow", SAYS[standing]);
    const [first = "", ...rest] = command.split("\n").map(harmlessLine);
    return [
      `${mark} ${use.padEnd(14)} ${paint("bold", first)}`,
      ...rest.map((line) => `  ${"".padEnd(14)} ${paint("bold", line)}`),
      `  ${"".padEnd(14)} ${harmlessLine(place)} · ${shortHash(hash)} · ${said}`,
      ...(covers.length === 0 ? [] : [`  ${"".padEnd(14)} with ${harmlessLine(covers.join(", "))}`]),
      ...(at === null ? [] : [`  ${"".padEnd(14)} in the version of ${harmlessLine(at)}`]),
    ];
  });
}

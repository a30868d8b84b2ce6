import { basename } from "node:path";
import type { Argv } from "@anneal/system/programs/command";

/** Why a program with these arguments may stop at the first failure without saying so; null if nothing indicates it. */
export function failFast(argv: Argv): string | null {
  const word = argv.find((one, at) => STOPS.test(one) && !OFF.test(argv[at + 1] ?? "")) ?? shortWord(argv);
  if (word === undefined) return null;
  return `with ${word} the tests stop at the first failure, so other failures stay unknown: remove it from the test command`;
}

const STOPS = /^(?:--bail|--?(?:test\.)?fail-?fast|--exitfirst)(?:=(?!(?:0|false)$).*)?$/i;
const OFF = /^(?:0|false)$/;

/** One letter means this only to the runner that has it. */
function shortWord(argv: Argv): string | undefined {
  const runs = (program: RegExp) => argv.some((word) => program.test(basename(word)));
  if (runs(/^_?mocha$/)) return argv.find((word) => /^-[a-zA-Z]*b[a-zA-Z]*$/.test(word));
  if (runs(/^(?:python[\d.]*|unittest)$/)) return argv.find((word) => /^-[bcqv]*f[bcqv]*$/.test(word));
  return undefined;
}

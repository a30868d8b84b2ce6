import { basename } from "node:path";
import type { Argv } from "../command.ts";
import { splitArgv } from "./argv.ts";

/**
 * What a shell does not get to in `a && b` because `a` is red: for each program behind the first, the same line up to it, with the
 * others run whatever they come to. None for a line that is more than plain programs joined by `&&`.
 */
export function behindRed(argv: Argv): Argv[] {
  const [shell, ...args] = argv;
  const [flag = "", line = ""] = args.slice(-2);
  if (!SHELLS.has(basename(shell)) || !/^-[a-z]*c$/.test(flag)) return [];
  const pieces = cutAtAnd(line).map((piece) => piece.trim());
  if (!pieces.every(isPlain)) return [];
  return pieces.flatMap((piece, at) => {
    if (at === 0 || changesShell(piece)) return [];
    const before = pieces.slice(0, at).map((one) => (changesShell(one) ? `${one} && ` : `${one} || :; `));
    return [[shell, ...args.slice(0, -1), `${before.join("")}${piece}`] satisfies Argv];
  });
}

const SHELLS = new Set(["sh", "bash", "dash", "ksh", "zsh"]);
const WORD = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|&&|[\s\S]/g;

/** The parts between `&&`, quotes respected. */
export function cutAtAnd(line: string): string[] {
  const pieces = [""];
  for (const [word] of line.matchAll(WORD)) {
    if (word === "&&") pieces.push("");
    else pieces.push(`${pieces.pop() ?? ""}${word}`);
  }
  return pieces;
}

/** What follows happens in the folder, or with the variables, that these set. */
function changesShell(piece: string): boolean {
  return /^(?:cd|export|unset|source|\.|umask|ulimit|pushd|popd)\s/.test(piece);
}

const KEYWORD =
  /^(?:if|for|while|until|case|select|function|then|do|else|exit|exec|eval|set|trap|return|wait|[!{}]|\[\[)$/;

function isPlain(piece: string): boolean {
  if (piece.includes("\n")) return false;
  try {
    const words = splitArgv(piece.replace(/^(?:\w+=[\w./:,-]*\s+)+/, ""));
    return !KEYWORD.test(words[0]) && !words.some((word) => word.startsWith("#"));
  } catch {
    return false;
  }
}

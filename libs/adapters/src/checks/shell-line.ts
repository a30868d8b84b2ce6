import { basename } from "node:path";
import type { Argv } from "@anneal/system/programs/command";
import { splitArgv } from "./argv.ts";

/** A line that a command gives to a shell. */
export interface ShellLine {
  text: string;
  /** The words that run another line in the same way; null where that cannot be done. */
  runs: Argv | null;
  /** The shell ends at the first program that fails, whatever joins them. */
  endsAtFailure: boolean;
}

/** A plain program, with the variables that are set for it alone. */
export interface ShellCommand {
  text: string;
  variables: string;
  argv: Argv;
  /** What follows happens in the folder, or with the variables, that it sets. */
  changesShell: boolean;
}

const SHELLS = new Set(["sh", "bash", "dash", "ksh", "zsh"]);

/** The line in `[shell, "-c", line]`; with further arguments the line is not known. */
export function shellLine(argv: Argv): ShellLine | null {
  const shell = argv.findIndex((word) => SHELLS.has(basename(word)));
  const args = argv.slice(shell + 1);
  const flag = args.findIndex((word, at) => !/^[-+]/.test(word) && !/^[-+]\w*o$/i.test(args[at - 1] ?? ""));
  const options = flag < 0 ? args : args.slice(0, flag);
  if (shell < 0 || !options.some((word) => /^-[a-z]*c[a-z]*$/i.test(word))) return null;
  const [program, ...words] = argv.slice(0, -1);
  const runs: Argv | null = program !== undefined && flag === args.length - 1 ? [program, ...words] : null;
  const endsAtFailure = options.some((word) => /^-[a-z]*e/i.test(word) || word === "errexit");
  return { text: flag < 0 ? "" : args.slice(flag).join("\n"), runs, endsAtFailure };
}

/** Plain programs, all joined by `&&`, or all by `;` and ends of lines; null for everything else. */
export function plainPieces(text: string): { pieces: ShellCommand[]; joined: "&&" | ";" } | null {
  const parts = cutAtAnd(text);
  const joined = parts.length > 1 ? "&&" : ";";
  const found = joined === "&&" ? parts : cutAt(text, /^[;\n]$/).filter((part) => part.trim() !== "");
  const pieces = found.map((part) => plainPiece(part.trim())).filter((piece) => piece !== null);
  return pieces.length === found.length && pieces.length > 0 ? { pieces, joined } : null;
}

/** The parts between `&&`, quotes respected. */
export function cutAtAnd(text: string): string[] {
  return cutAt(text, /^&&$/);
}

const TOKEN = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|&&|[\s\S]/g;

function cutAt(text: string, joint: RegExp): string[] {
  const parts = [""];
  for (const [token] of text.matchAll(TOKEN)) {
    if (joint.test(token)) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${token}`);
  }
  return parts;
}

const KEYWORD =
  /^(?:if|for|while|until|case|select|function|then|do|else|exit|exec|eval|set|trap|return|wait|[!{}]|\[\[)$/;
/** Words that set how a shell goes on, or that any of the others may come after. */
const SETTER = /^(?:builtin|command|time|shopt|setopt|unsetopt|emulate)$/;

function plainPiece(text: string): ShellCommand | null {
  if (text.includes("\n")) return null;
  const [variables = ""] = /^(?:\w+=(?:'[^']*'|"[^"$`\\]*"|[\w./:,=@+-])*\s+)+/.exec(text) ?? [];
  try {
    const argv = splitArgv(text.slice(variables.length).replace(/ 2>&1$/, ""));
    if (KEYWORD.test(argv[0]) || SETTER.test(argv[0]) || argv.some((word) => word.startsWith("#"))) return null;
    return {
      text,
      variables,
      argv,
      changesShell: /^(?:cd|export|unset|source|\.|umask|ulimit|pushd|popd)$/.test(argv[0]),
    };
  } catch {
    return null;
  }
}

/** The words as one that a shell reads. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

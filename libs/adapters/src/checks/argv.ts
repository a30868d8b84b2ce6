/** A command line that cannot be split without a shell. */
export class CommandSyntaxError extends Error {
  override readonly name = "CommandSyntaxError";
}

/** What a shell would act on. Passed on as plain text it would be a silent surprise. */
const SHELL_SIGNS = /^(?:[|&;<>()`]|\$[\w({])/;

/** Splits a command line at spaces, with single quotes, double quotes and backslashes. No shell ever sees it. */
export function splitArgv(line: string): [string, ...string[]] {
  const words: string[] = [];
  let word: string | null = null;
  let rest = line;
  const take = (length: number, text: string | undefined) => {
    word = (word ?? "") + (text ?? "");
    rest = rest.slice(length);
  };
  while (rest !== "") {
    const space = /^\s+/.exec(rest);
    if (space) {
      if (word !== null) words.push(word);
      word = null;
      rest = rest.slice(space[0].length);
      continue;
    }
    const single = /^'([^']*)'/.exec(rest);
    const double = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(rest);
    const escaped = /^\\([\s\S])/.exec(rest);
    if (single) take(single[0].length, single[1]);
    else if (double) take(double[0].length, withoutEscapes(double[1] ?? "", line));
    else if (escaped) take(2, escaped[1]);
    else if (/^['"\\]/.test(rest)) throw new CommandSyntaxError(`a quote or backslash is left open in ${line}`);
    else if (SHELL_SIGNS.test(rest)) throw needsShell(rest[0] ?? "", line);
    else take(1, rest[0]);
  }
  if (word !== null) words.push(word);
  const [program, ...args] = words;
  if (program === undefined || program === "") throw new CommandSyntaxError("the command is empty");
  if (/^\w+=/.test(program)) throw needsShell(program, line);
  return [program, ...args];
}

function withoutEscapes(text: string, line: string): string {
  const expansion = /(?<!\\)(?:`|\$[\w({])/.exec(text);
  if (expansion) throw needsShell(expansion[0], line);
  return text.replace(/\\(["\\$`])/g, "$1");
}

function needsShell(sign: string, line: string): CommandSyntaxError {
  return new CommandSyntaxError(`${sign} in ${line} needs a shell: write it as bash -c '…'`);
}

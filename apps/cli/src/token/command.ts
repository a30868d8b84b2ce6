import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import { automationTokens, createAutomationToken, revokeAutomationToken } from "@anneal/engine/people";
import { type AutomationToken, Right } from "@anneal/types";
import type { Command } from "../command.ts";
import { json } from "../project/output.ts";
import { atTerminal } from "../project/person.ts";

const ALL = "all";
const UNITS = { h: 3_600_000, d: 24 * 3_600_000, w: 7 * 24 * 3_600_000 } as const;

const help = `anneal token: tokens by which a program may say what else only a person says

  anneal token create NAME --right RIGHT… --until WHEN     prints the token, once; needs a person at a terminal
  anneal token list [--json]                               names, rights and ends
  anneal token revoke NAME                                 ends one now

  --right RIGHT   ${Right.options.join(", ")}; or ${ALL}; more than once where it needs several
  --until WHEN    a date such as 2027-01-31, or from now on: 12h, 30d, 8w; a year at most

Commands take it from ANNEAL_TOKEN, the server as X-API-Key. Give it only to the step that needs it: whatever runs beside that
step as the same user can read its environment. Only a hash is kept, in automation-tokens.json of the data folder.
`;

async function run([action, ...args]: string[]): Promise<number> {
  if (action === "create") return await create(args);
  if (action === "list") return await list(args);
  if (action === "revoke") return await revoke(args);
  throw new UsageError("say what to do with tokens: create, list or revoke; see anneal token --help");
}

async function create(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { right: { type: "string", multiple: true, default: [] }, until: { type: "string" } },
  });
  const [name, ...more] = positionals;
  const usage = "anneal token create NAME --right approve --until 30d";
  if (name === undefined || more.length > 0) throw new UsageError(`it takes one name: ${usage}`);
  if (values.right.length === 0 || values.until === undefined)
    throw new UsageError(`a token has rights and an end: ${usage}`);
  const at = systemClock.now();
  const wanted = { name, rights: values.right.flatMap(rightsIn), until: endIn(values.until, at), at };
  const text = await createAutomationToken({ ...wanted, by: atTerminal("a new token").by });
  process.stdout.write(`${text}\n`);
  process.stderr.write("It is shown only now. anneal token list shows what it may say.\n");
  return 0;
}

function rightsIn(word: string): Right[] {
  if (word === ALL) return Right.options;
  const right = Right.safeParse(word);
  if (right.success) return [right.data];
  throw new UsageError(`there is no right "${word}": there are ${Right.options.join(", ")}, and ${ALL}`);
}

function endIn(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return now + Number(count) * UNITS[unit as keyof typeof UNITS];
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(`--until takes a date or a time from now on, such as 30d, not "${text}"`);
  return time;
}

async function list(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: "boolean", default: false } } });
  const tokens = await automationTokens();
  process.stdout.write(values.json ? json(tokens.map(({ hash: _, ...shown }) => shown)) : lines(tokens));
  return 0;
}

function lines(tokens: readonly AutomationToken[]): string {
  if (tokens.length === 0) return "There is no token.\n";
  const isOver = ({ until }: AutomationToken) => Date.parse(until) <= systemClock.now();
  const line = (one: AutomationToken) =>
    `${one.name}  ${isOver(one) ? "ended" : "until"} ${one.until.slice(0, 16)}Z  by ${one.by}  ${one.rights.join(", ")}\n`;
  return tokens.map(line).join("");
}

async function revoke(args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError("it takes one name: anneal token revoke NAME");
  await revokeAutomationToken(name);
  process.stdout.write(`${name} says nothing any more.\n`);
  return 0;
}

export const command: Command = { help, run };

import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import { automationTokens, createAutomationToken, revokeAutomationToken } from "@anneal/engine/people";
import { type AutomationToken, Right } from "@anneal/types";
import type { Command } from "../command.ts";
import { json } from "../project/output.ts";
import { atTerminal } from "../project/person.ts";

const ALL = "all";
const UNITS = { h: 3_600_000, d: 24 * 3_600_000, w: 7 * 24 * 3_600_000 } as const;

const help = `anneal token: create tokens with which a program may make decisions that otherwise only a person may make

  anneal token create NAME --right RIGHT… --until WHEN     create a token and print it once; needs a person at a terminal
  anneal token list [--json]                               show the names, rights and end dates of all tokens
  anneal token revoke NAME                                 end a token now

  --right RIGHT   ${Right.options.join(", ")}; or ${ALL}; repeat it for several rights
  --until WHEN    when the token ends: a date such as 2027-01-31, or a time from now: 12h, 30d, 8w; a year at most

Commands read the token from ANNEAL_TOKEN, the server from X-API-Key. Give it only to the CI step that needs it: whatever runs beside that
step as the same user can read its environment. Anneal keeps only its hash, in automation-tokens.json of the data folder.
`;

async function run([action, ...args]: string[]): Promise<number> {
  if (action === "create") return await create(args);
  if (action === "list") return await list(args);
  if (action === "revoke") return await revoke(args);
  throw new UsageError("a subcommand is required: create, list or revoke; see anneal token --help");
}

async function create(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { right: { type: "string", multiple: true, default: [] }, until: { type: "string" } },
  });
  const [name, ...more] = positionals;
  const usage = "anneal token create NAME --right approve --until 30d";
  if (name === undefined || more.length > 0) throw new UsageError(`name the new token with one name: ${usage}`);
  if (values.right.length === 0 || values.until === undefined)
    throw new UsageError(`--right and --until are required: ${usage}`);
  const at = systemClock.now();
  const wanted = { name, rights: values.right.flatMap(rightsIn), until: endIn(values.until, at), at };
  const text = await createAutomationToken({ ...wanted, by: atTerminal("a new token").by });
  process.stdout.write(`${text}\n`);
  process.stderr.write("The token is shown only this once. anneal token list shows its rights.\n");
  return 0;
}

function rightsIn(word: string): Right[] {
  if (word === ALL) return Right.options;
  const right = Right.safeParse(word);
  if (right.success) return [right.data];
  throw new UsageError(`unknown right "${word}"; known: ${Right.options.join(", ")}, ${ALL}`);
}

function endIn(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return now + Number(count) * UNITS[unit as keyof typeof UNITS];
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(`--until takes a date such as 2027-01-31 or a time from now such as 30d, not "${text}"`);
  return time;
}

async function list(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: "boolean", default: false } } });
  const tokens = await automationTokens();
  process.stdout.write(values.json ? json(tokens.map(({ hash: _, ...shown }) => shown)) : lines(tokens));
  return 0;
}

function lines(tokens: readonly AutomationToken[]): string {
  if (tokens.length === 0) return "No tokens yet. Create one with anneal token create.\n";
  const isOver = ({ until }: AutomationToken) => Date.parse(until) <= systemClock.now();
  const line = (one: AutomationToken) =>
    `${one.name}  ${isOver(one) ? "ended" : "until"} ${one.until.slice(0, 16)}Z  by ${one.by}  ${one.rights.join(", ")}\n`;
  return tokens.map(line).join("");
}

async function revoke(args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0)
    throw new UsageError("name one token: anneal token revoke NAME (list them with anneal token list)");
  await revokeAutomationToken(name);
  process.stdout.write(`The token ${name} is revoked.\n`);
  return 0;
}

export const command: Command = { help, run };

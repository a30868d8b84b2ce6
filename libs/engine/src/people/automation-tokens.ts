import { hash, randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dataDirectory, readJson, updateJson } from "@anneal/adapters/files";
import { type AutomationToken, AutomationTokens, type Right } from "@anneal/types";
import { UsageError } from "../errors/errors.ts";

const EMPTY: AutomationTokens = { version: 1, tokens: [] };
/** By which one is told from the server's own token. */
const MARK = "anneal_";
const LONGEST_MS = 366 * 24 * 3_600_000;

export interface NewAutomationToken {
  name: string;
  rights: readonly Right[];
  /** In epoch milliseconds. */
  until: number;
  by: string;
  at: number;
}

/** Makes a token and gives its text, which nobody can read again: only a hash of it is kept. */
export async function createAutomationToken(
  { name, rights, until, by, at }: NewAutomationToken,
  dataDir = dataDirectory(),
): Promise<string> {
  const named = AutomationTokens.shape.tokens.element.shape.name.safeParse(name);
  if (!named.success)
    throw new UsageError(`${name} is not a valid name for a token: ${named.error.issues[0]?.message}`);
  if (until <= at) throw new UsageError("the end of a token must be in the future");
  if (until > at + LONGEST_MS) throw new UsageError("a token can be valid for one year at most");
  const text = `${MARK}${randomBytes(32).toString("base64url")}`;
  const [ends, made] = [until, at].map((time) => new Date(time).toISOString());
  const token = { name, hash: hashOf(text), rights: [...new Set(rights)], until: ends ?? "", madeAt: made ?? "", by };
  await change(dataDir, (tokens) => {
    if (tokens.some((one) => one.name === name && Date.parse(one.until) > at))
      throw new UsageError(`there is already a token ${name}: end it first with anneal token revoke ${name}`);
    return [...tokens.filter((one) => one.name !== name), token];
  });
  return text;
}

export async function automationTokens(dataDir = dataDirectory()): Promise<AutomationToken[]> {
  const read = await readJson(tokensFile(dataDir), AutomationTokens);
  if (read.ok) return read.value.tokens;
  if (read.reason === "missing") return [];
  throw read.cause;
}

export async function revokeAutomationToken(name: string, dataDir = dataDirectory()): Promise<void> {
  if (!(await automationTokens(dataDir)).some((one) => one.name === name))
    throw new UsageError(`there is no token ${name}; list them with anneal token list`);
  await change(dataDir, (tokens) => tokens.filter((one) => one.name !== name));
}

/** Whether a text is meant as such a token, good or not. */
export function isAutomationToken(text: string): boolean {
  return text.startsWith(MARK);
}

/** The token of a text, as long as it is good; null for any other text. */
export async function automationTokenOf(
  text: string,
  now: number,
  dataDir = dataDirectory(),
): Promise<AutomationToken | null> {
  if (!isAutomationToken(text)) return null;
  const wanted = hashOf(text);
  const found = (await automationTokens(dataDir)).find((one) => one.hash === wanted);
  return found !== undefined && Date.parse(found.until) > now ? found : null;
}

function tokensFile(dataDir: string): string {
  return join(dataDir, "automation-tokens.json");
}

function hashOf(text: string): string {
  return hash("sha256", text, "hex");
}

async function change(dataDir: string, to: (before: AutomationToken[]) => AutomationToken[]): Promise<void> {
  const path = tokensFile(dataDir);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await updateJson(path, AutomationTokens, (file) => ({ ...file, tokens: to(file.tokens) }), {
    whenMissing: EMPTY,
    mode: 0o600,
  });
}

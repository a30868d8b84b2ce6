import { execFile } from "node:child_process";
import { delimiter, isAbsolute } from "node:path";
import { withoutOurToken } from "@anneal/system/processes/environment";
import { ForgeError } from "../../contract/errors.ts";
import { type GithubAddress, isGithubHost } from "./address.ts";

type Env = NodeJS.ProcessEnv;
type Asked = Pick<GithubAddress, "host">;

export interface TokenOptions {
  env?: Env;
  /** How long `gh` may take. */
  timeoutMs?: number;
}

const GENERAL = ["GH_TOKEN", "GITHUB_TOKEN"];
const ENTERPRISE = ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
const TIMEOUT_MS = 10_000;

/** The user's token for a host: from the environment, else from the `gh` command line. */
export async function tokenFor({ host }: Asked, { env = process.env, timeoutMs = TIMEOUT_MS }: TokenOptions = {}) {
  for (const name of variablesFor(host, env)) {
    const value = env[name]?.trim();
    if (value) return usable(value, name);
  }
  const given = await fromGh(host, env, timeoutMs);
  if (given !== "") return usable(given, "gh auth token");
  const variable = isGithubHost(host) ? "set GITHUB_TOKEN" : `set GH_HOST=${host} and GH_ENTERPRISE_TOKEN`;
  throw new ForgeError("unauthenticated", `no token for ${host}: run gh auth login --hostname ${host}, or ${variable}`);
}

/** A token is sent to the host that it was made for, and to no other: a project's settings could name any host. */
function variablesFor(host: string, env: Env): string[] {
  const named = env.GH_HOST?.toLowerCase() === host;
  const isWhereThisRuns = URL.parse(env.GITHUB_SERVER_URL ?? "")?.host === host;
  if (isGithubHost(host)) return GENERAL;
  if (named) return [...ENTERPRISE, ...GENERAL];
  return isWhereThisRuns ? ["GITHUB_TOKEN"] : [];
}

/** Nothing where there is no `gh`, or it knows none. It looks at the same variables, and would give them to any host. */
function fromGh(host: string, env: Env, timeoutMs: number): Promise<string> {
  const own = Object.fromEntries(
    Object.entries(withoutOurToken(env)).filter(([name]) => ![...GENERAL, ...ENTERPRISE, "GH_HOST"].includes(name)),
  );
  // A folder such as `.` could be the project's, and its `gh` anybody's.
  const PATH = (env.PATH ?? "").split(delimiter).filter(isAbsolute).join(delimiter);
  const options = { env: { ...own, PATH, GH_PROMPT_DISABLED: "1" }, timeout: timeoutMs, encoding: "utf8" } as const;
  return new Promise((resolve) => {
    execFile("gh", ["auth", "token", "--hostname", host], options, (error, stdout) => {
      resolve(error === null ? stdout.trim() : "");
    });
  });
}

function usable(token: string, from: string): string {
  if (/^[\x21-\x7e]{1,1024}$/.test(token)) return token;
  throw new ForgeError("unauthenticated", `what ${from} holds is not usable: sign in again with gh auth login`);
}

import { systemClock } from "@anneal/system/clock";
import type { Clock } from "../../ports.ts";
import { ForgeError } from "../contract/errors.ts";
import type { Forge, Resolving } from "../contract/port.ts";
import { forgeChecks } from "./checks.ts";
import { GithubAccount, type Pace } from "./client/account.ts";
import { type GithubAddress, githubAddress } from "./client/address.ts";
import { GithubClient } from "./client/client.ts";
import { tokenFor } from "./client/token.ts";
import { conversation } from "./conversation.ts";
import { people } from "./people.ts";
import { pullRequests } from "./pull-requests.ts";
import { resolving } from "./threads.ts";
import { watching } from "./watching.ts";

export interface GithubOptions {
  clock?: Clock;
  /** The user's own by default. */
  token?: string;
  pace?: Pace;
}

/** At most 800 requests and 60 changes a minute; GitHub allows 900 and 80. */
const PACE: Pace = { readMs: 75, writeMs: 1_000 };
/** On this machine is a stand-in for tests. */
const NO_PACE: Pace = { readMs: 0, writeMs: 0 };

/** Opens a repository on GitHub. It costs nothing before the first question. */
export function openGitHub(
  address: string,
  { clock = systemClock, token, pace }: GithubOptions = {},
): Forge & Resolving {
  const found = githubAddress(address);
  if (found === null) {
    const forms = "https://HOST/OWNER/REPOSITORY, or HOST:OWNER/REPOSITORY for ssh";
    throw new ForgeError("invalid", `this is not the address of a GitHub repository: ${address}: use ${forms}`);
  }
  const account = accountAt(found, { clock, token, pace: pace ?? (found.isLocal ? NO_PACE : PACE) });
  const client = clientFor(found, account);
  return {
    name: "github",
    ...pullRequests(client),
    ...conversation(client),
    ...forgeChecks(client),
    ...people(client),
    ...watching(client),
    ...resolving(client),
  };
}

/** Whoever opens a repository again shares the line of requests with all others in this process. */
const accounts = new WeakMap<Clock, Map<string, GithubAccount>>();
const clients = new WeakMap<GithubAccount, Map<string, GithubClient>>();

interface AccountRequest {
  clock: Clock;
  token: string | undefined;
  pace: Pace;
}

function accountAt(address: GithubAddress, { clock, token, pace }: AccountRequest): GithubAccount {
  const { host, rest } = address;
  return kept(accounts, clock, JSON.stringify([rest, pace, token]), () => {
    return new GithubAccount({ host, clock, pace, token: async () => token ?? (await tokenFor(address)) });
  });
}

function clientFor(address: GithubAddress, account: GithubAccount): GithubClient {
  const name = `${address.owner}/${address.repo}`.toLowerCase();
  return kept(clients, account, name, () => new GithubClient(address, account));
}

function kept<Of extends object, T>(all: WeakMap<Of, Map<string, T>>, of: Of, name: string, make: () => T): T {
  const own = all.get(of) ?? new Map<string, T>();
  all.set(of, own);
  const one = own.get(name) ?? make();
  own.set(name, one);
  return one;
}

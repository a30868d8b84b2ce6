import { access, constants, mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import { dataDirectory } from "@anneal/adapters/files";
import { systemClock, UsageError } from "@anneal/engine";
import { SecretMask, secretsOf } from "@anneal/engine/evidence";
import { automationTokenOf } from "@anneal/engine/people";
import { errorMessage } from "@anneal/types/unknown";
import { buildApp } from "./app.ts";
import { isAnyInterface, isLoopback } from "./auth/addresses.ts";
import { gate } from "./auth/gate.ts";
import { isInUse, listening } from "./listening.ts";
import { Projects } from "./projects/projects.ts";
import { builtPages } from "./routes/pages.ts";
import { LiveSettings } from "./settings/live-settings.ts";
import { serverToken } from "./token.ts";

export { dataDirectory } from "@anneal/adapters/files";

export interface ServeOptions {
  host?: string;
  /** Further names by which people reach it. */
  names?: readonly string[];
  /** 0 takes any free one. */
  port?: number;
  /** Folders of the projects. */
  projects: readonly string[];
  /** A token that the user set. */
  token?: string | undefined;
  dataDir?: string;
  requestsPerMinute?: number;
  beatMs?: number;
  /** The folder of the built pages, if not the usual one; null for none. */
  pages?: string | null;
  /** Told of troubles and changes, one line each. */
  onLine(line: string): void;
}

export interface RunningServer {
  url: string;
  /** Logs a browser in, once. */
  loginUrl(): string;
  token: string;
  /** Parks the loops, tells the listeners, and lets go of everything. */
  close(): Promise<void>;
}

const DEFAULT_PORT = 7_733;
const REQUESTS_PER_MINUTE = 1_200;

/** Starts the server. On other interfaces than this machine's own it wants a token that the user set. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  for (let tries = 5; ; tries--) {
    try {
      return await serveOnce(options);
    } catch (error) {
      // A port that was found free can be somebody else's by the time it is used; there are others.
      if (options.port !== 0 || tries <= 1 || !isInUse(error)) throw error;
    }
  }
}

async function serveOnce(options: ServeOptions): Promise<RunningServer> {
  const { host = "127.0.0.1", dataDir = dataDirectory(), onLine } = options;
  await makeDataFolder(dataDir);
  const { token, own } = await serverToken(dataDir, options.token);
  if (!isLoopback(host) && !own) {
    throw new UsageError(`${host} is reachable from other machines: set a token in ANNEAL_TOKEN first`);
  }
  const wanted = options.port ?? DEFAULT_PORT;
  const port = await listening({ host, port: wanted }, freePort(host, wanted));
  const clock = systemClock;
  const settings = new LiveSettings(dataDir);
  const known = async () => secretsOf((await settings.load(null)).global, { certain: [token], all: [] });
  const mask = await new SecretMask(known).upToDate();
  const projects: Projects = new Projects({
    clock,
    settings,
    mask,
    onSeen: (project, seen) =>
      projects
        .all()
        .find(({ id }) => id === project)
        ?.hub.see(seen),
    onTrouble: (project, item, message) => onLine(`! ${[project, item, message].filter(Boolean).join(": ")}`),
  });
  const door = gate({
    token,
    clock,
    port,
    automation: (text) => automationTokenOf(text, clock.now(), dataDir),
  });
  const app = await buildApp({
    gate: door,
    projects,
    settings,
    mask,
    clock,
    address: { host, port, names: options.names ?? [] },
    requestsPerMinute: options.requestsPerMinute ?? REQUESTS_PER_MINUTE,
    beatMs: options.beatMs,
    pages: options.pages === undefined ? builtPages() : options.pages,
    audit: onLine,
    onError: (error) => onLine(`! ${error instanceof Error ? (error.stack ?? error.message) : error}`),
  });
  try {
    for (const root of options.projects) await projects.add(root);
    await listening({ host, port }, app.listen({ host, port }));
  } catch (error) {
    await app.close();
    await projects.close();
    throw error;
  }
  // No browser goes to "every interface".
  const name = isAnyInterface(host) ? hostname() : host;
  const url = `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
  return {
    url,
    token,
    loginUrl: () => `${url}/login?code=${door.logins.issue().pass}`,
    async close() {
      await projects.close();
      await app.close();
    },
  };
}

/** The Host header has to name the port, so it is known before anything listens. */
async function freePort(host: string, wanted: number): Promise<number> {
  if (wanted !== 0) return wanted;
  const { createServer } = await import("node:net");
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once("error", reject).listen(0, host, resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function makeDataFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK);
  } catch (error) {
    const why = errorMessage(error);
    throw new UsageError(`the data folder ${path} is not writable: set DATA_DIR to a writable folder (${why})`);
  }
}

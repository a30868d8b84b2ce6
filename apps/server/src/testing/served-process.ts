import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const MAIN = pathToFileURL(join(ROOT, "apps/cli/src/main.ts")).href;
const RUN = `import { main } from ${JSON.stringify(MAIN)}; process.exitCode = await main(process.argv.slice(1));`;

export const TOKEN = "a token that the test has set";

/** `anneal serve`, from source, in a process of its own that leads its group. */
export interface ServedProcess extends AsyncDisposable {
  child: ChildProcess;
  /** All that it has said so far. */
  said(): string;
  /** Settles with its exit code, or null where a signal ended it. */
  ended: Promise<number | null>;
}

export async function serveProcess(
  folder: string,
  roots: readonly string[],
  port: number,
  more: readonly string[] = [],
): Promise<ServedProcess> {
  const args = ["serve", "--port", String(port), ...roots.flatMap((root) => ["--project", root]), ...more];
  const argv = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", RUN, "--"];
  const child = spawn(process.execPath, [...argv, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: folder,
      ANNEAL_TOKEN: TOKEN,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      ANNEAL_TRUST: "all",
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  const ended = once(child, "close").then(([code]) => code as number | null);
  const ready = new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk;
      if (said.includes("Anneal listens on")) resolve();
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    void ended.then(() => reject(new Error(`it did not start: ${said}`)));
  });
  await ready;
  return {
    child,
    said: () => said,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A port that nobody uses just now, for a server that comes back at the same place. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

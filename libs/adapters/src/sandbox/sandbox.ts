import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bubblewrap, type Enclosed } from "./bubblewrap.ts";
import { probeSandbox } from "./probe.ts";

export interface EncloseOptions extends Omit<Enclosed, "home" | "cwd"> {
  cwd: string;
  sandbox?: "auto" | "off";
}

/** How a command is really started. */
export interface Enclosure {
  argv: readonly [string, ...string[]] | "not-found";
  env: Record<string, string>;
  says: { sandboxed: "bwrap" | "none"; notSandboxed?: string };
  remove(): Promise<void>;
}

/** Puts a command into a sandbox where that is wished and possible. */
export async function enclose(argv: readonly [string, ...string[]], options: EncloseOptions): Promise<Enclosure> {
  const { env } = options;
  const bare: Enclosure = { argv, env, says: { sandboxed: "none" }, remove: async () => {} };
  if (options.sandbox !== "auto") return bare;
  const probe = await probeSandbox();
  if (probe.state !== "works") return { ...bare, says: { sandboxed: "none", notSandboxed: probe.reason } };
  const cwd = realpathSync(options.cwd);
  // Inside, a missing program would look like a failure of the sandbox itself.
  if (!isProgram(argv[0], cwd, env.PATH ?? "")) return { ...bare, argv: "not-found", says: { sandboxed: "bwrap" } };
  const home = await mkdtemp(join(tmpdir(), "anneal-home-"));
  return {
    argv: [probe.program, ...bubblewrap({ ...options, cwd, home }), "--", ...argv],
    env: { ...env, TMPDIR: "/tmp" },
    says: { sandboxed: "bwrap" },
    remove: () => rm(home, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function isProgram(program: string, cwd: string, path: string): boolean {
  const places = program.includes("/")
    ? [resolve(cwd, program)]
    : path.split(":").map((one) => resolve(cwd, one, program));
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return statSync(place).isFile();
    } catch {
      return false;
    }
  });
}

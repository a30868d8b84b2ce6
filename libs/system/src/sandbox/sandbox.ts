import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { ownTemporary } from "../processes/temporary.ts";
import { bubblewrap, type Enclosed, keepingOff } from "./bubblewrap.ts";
import { ownData } from "./own-data.ts";
import { probeSandbox } from "./probe.ts";

export interface EncloseOptions extends Omit<Enclosed, "home" | "programs"> {
  sandbox?: "auto" | "off";
  /** Where given, these folders cannot be written, and nothing else is shut. */
  readOnlyFolders?: string[];
}

/** How a command is really started. */
export interface Enclosure {
  argv: readonly [string, ...string[]] | "not-found";
  env: Record<string, string>;
  says: { sandboxed: "bwrap" | "none"; notSandboxed?: string };
  remove(): Promise<void>;
}

/** Puts a command into a sandbox where that is requested and possible. */
export async function enclose(argv: readonly [string, ...string[]], options: EncloseOptions): Promise<Enclosure> {
  const { env } = options;
  const bare: Enclosure = { argv, env, says: { sandboxed: "none" }, remove: async () => {} };
  if (options.sandbox !== "auto") return bare;
  const probe = await probeSandbox();
  if (probe.state !== "works") return { ...bare, says: { sandboxed: "none", notSandboxed: probe.reason } };
  const cwd = realpathSync(options.cwd);
  // Inside, a missing program would look like a failure of the sandbox itself.
  const program = findProgram(argv[0], cwd, env.PATH ?? "");
  if (program === null) return { ...bare, argv: "not-found", says: { sandboxed: "bwrap" } };
  // Links on the PATH point to where a program really lies, which may be hidden even if the link is not.
  const programs = [program, realpathSync(program), realpathSync(process.execPath)];
  const { readable = [], writableFolders = [] } = options;
  const hidden = [...(options.hidden ?? []), ...ownData([cwd, ...programs, ...readable, ...writableFolders])];
  if (options.readOnlyFolders !== undefined) {
    const { readOnlyFolders, closed = [] } = options;
    const args = keepingOff({
      cwd,
      env,
      git: options.git ?? "read-only",
      programs,
      readOnlyFolders,
      writableFolders,
      closed,
      hidden,
    });
    return { ...bare, argv: [probe.program, ...args, "--", ...argv], says: { sandboxed: "bwrap" } };
  }
  const home = await ownTemporary("home");
  return {
    argv: [probe.program, ...bubblewrap({ ...options, cwd, home, programs, hidden }), "--", ...argv],
    env: { ...env, TMPDIR: "/tmp" },
    says: { sandboxed: "bwrap" },
    remove: () => rm(home, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function findProgram(program: string, cwd: string, path: string): string | null {
  const folders = program.includes("/") ? [""] : path.split(":");
  const places = folders.map((folder) => resolve(cwd, folder, program));
  return places.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

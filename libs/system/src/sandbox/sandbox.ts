import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { ownTemporary } from "../processes/temporary.ts";
import { bubblewrap, type Enclosed, keepingOff } from "./bubblewrap.ts";
import { ownData } from "./own-data.ts";
import { privateHome } from "./private-home.ts";
import { probeSandbox } from "./probe.ts";

export interface EncloseOptions extends Omit<Enclosed, "home" | "programs"> {
  sandbox?: "auto" | "off";
  /** Where given, the machine is shown as it is, with these folders, and nothing of it can be written but `writableFolders`. */
  readOnlyFolders?: string[];
  /** Files at the top of the home folder of which such a box gets a copy. */
  copied?: string[];
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
  const home = await ownTemporary("home");
  const remove = () => rm(home, { recursive: true, force: true, maxRetries: 3 });
  const args =
    options.readOnlyFolders === undefined
      ? bubblewrap({ ...options, cwd, home, programs, hidden })
      : keepingOff({
          ...{ cwd, env, programs, writableFolders, hidden },
          home: privateHome(home, env, cwd, options.copied ?? []),
          git: options.git ?? "read-only",
          readOnlyFolders: options.readOnlyFolders,
          closed: options.closed ?? [],
        });
  const keepsTemporary = writableFolders.some((folder) => env.TMPDIR === folder);
  return {
    argv: [probe.program, ...args, "--", ...argv],
    env: keepsTemporary ? env : { ...env, TMPDIR: "/tmp" },
    says: { sandboxed: "bwrap" },
    remove,
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

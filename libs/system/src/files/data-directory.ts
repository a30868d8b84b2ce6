import { homedir } from "node:os";
import { join } from "node:path";

/** Where this user's data lies: ANNEAL_DATA_DIR, else DATA_DIR, else `~/.anneal`. */
export function dataDirectory(env: NodeJS.ProcessEnv = process.env, home: string = homedir()): string {
  return env.ANNEAL_DATA_DIR || env.DATA_DIR || join(home, ".anneal");
}

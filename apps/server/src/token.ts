import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "@anneal/engine";
import { isAutomationToken } from "@anneal/engine/people";
import { newSecret } from "./auth/secrets.ts";

const SHORTEST = 16;

/** The server's token: the user's own, else the one of the last start, else a new one that only this user can read. */
export async function serverToken(
  dataDir: string,
  given: string | undefined,
): Promise<{ token: string; own: boolean }> {
  // A token that a person made for a program is not the server's own.
  if (given !== undefined && given !== "" && !isAutomationToken(given)) {
    if (given.trim().length >= SHORTEST) return { token: given, own: true };
    throw new UsageError(`ANNEAL_TOKEN is too short: at least ${SHORTEST} characters, such as ${newSecret()}`);
  }
  const path = join(dataDir, "server-token");
  const kept = await readFile(path, "utf8").catch(() => "");
  if (kept.trim().length >= SHORTEST) return { token: kept.trim(), own: false };
  const token = newSecret();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(path, `${token}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
  return { token, own: false };
}

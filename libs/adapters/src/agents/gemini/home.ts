import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type ParseError, parse } from "jsonc-parser";
import { type AgentSetup, CannotStart } from "../cli/cli-agent.ts";
import { objectOf, stringOf, type UnknownRecord } from "../cli/json-line.ts";

/**
 * A home for one run. The user's sign-in and model count, and nothing else of their settings: hooks, tool servers and
 * extensions would run along with a reviewer. Links lead to the files of the sign-in, so that a token that it renews is kept.
 */
export async function makeHome(folder: string, { env = {} }: AgentSetup): Promise<void> {
  const home = env.GEMINI_CLI_HOME ?? process.env.GEMINI_CLI_HOME ?? env.HOME ?? process.env.HOME ?? homedir();
  const theirs = join(home, ".gemini");
  const ours = join(folder, ".gemini");
  await mkdir(ours);
  await writeFile(join(ours, "settings.json"), JSON.stringify(settingsFrom(await userSettings(theirs), env)));
  await Promise.all(SIGN_IN.map((file) => symlink(join(theirs, file), join(ours, file))));
  // Keys in there are taken even in a folder that is not trusted, if it lies in the home folder itself.
  await symlink(join(theirs, ".env"), join(folder, ".env"));
}

export const SIGN_IN = ["oauth_creds.json", "google_accounts.json", "gemini-credentials.json", "installation_id"];

async function userSettings(folder: string): Promise<UnknownRecord> {
  const file = join(folder, "settings.json");
  const text = await readFile(file, "utf8").catch(() => "{}");
  const errors: ParseError[] = [];
  const settings = objectOf(parse(text, errors, { allowTrailingComma: true }));
  if (settings === undefined || errors.length > 0) throw new CannotStart(`gemini's settings cannot be read: ${file}`);
  return settings;
}

function settingsFrom(theirs: UnknownRecord, env: Readonly<Record<string, string>>): UnknownRecord {
  const auth = objectOf(objectOf(theirs.security)?.auth) ?? {};
  const hasKey = (env.GEMINI_API_KEY ?? process.env.GEMINI_API_KEY ?? "") !== "";
  const selectedType = stringOf(auth.selectedType) ?? (hasKey ? "gemini-api-key" : undefined);
  return {
    // Without this it does not start where a folder is not trusted.
    security: {
      auth: { ...auth, ...(selectedType === undefined ? {} : { selectedType }) },
      folderTrust: { enabled: false },
    },
    ...(objectOf(theirs.model) === undefined ? {} : { model: theirs.model }),
    // No retries of its own: only the caller sees all runs and backs off.
    general: { maxAttempts: 1, retryFetchErrors: false, enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    advanced: { ignoreLocalEnv: true },
  };
}

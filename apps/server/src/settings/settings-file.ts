import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readJson, type Schema, updateJson, VersionConflict, whileLocked, writeAtomic } from "@anneal/adapters/files";
import { stopsLoops } from "@anneal/engine/project";
import { type ApiSettings, describeIssues, GlobalSettings, ProjectSettings } from "@anneal/types";
import { isRecord } from "@anneal/types/unknown";
import { stale } from "../etag.ts";
import { RequestProblem } from "../problem.ts";
import type { LiveSettings, SettingsPlace } from "./live-settings.ts";
import { masked } from "./secrets.ts";

type Values = Record<string, unknown>;

/** What Anneal reads of each file. */
export const KNOWN_SETTINGS = { global: GlobalSettings.shape, project: ProjectSettings.shape };

/** The version of a file that is not there, and of one that cannot be opened. */
export const NONE = "none";
export const UNREADABLE = "unreadable";

/** A settings file as people are shown it. */
export async function settingsShown(live: LiveSettings, place: SettingsPlace): Promise<ApiSettings> {
  const { scope, file } = place;
  const [now, loaded] = await Promise.all([contentOf(place), live.load(place.root)]);
  const inForce = scope === "global" ? loaded.global : loaded.project;
  return {
    scope,
    file: file.path,
    exists: now.version !== NONE,
    version: now.version,
    settings: now.values === null ? null : shown(now.values),
    inForce: shown(known(place, inForce)),
    problem: now.problem,
    problems: now.problems,
    stopsLoops: loaded.problems.some((problem) => problem.startsWith(file.path) && stopsLoops(problem)),
  };
}

/** Makes something else of a settings file that still is as the caller has read it. */
export async function changeSettings(
  place: SettingsPlace,
  version: string,
  change: (current: Values) => unknown,
): Promise<void> {
  const { file } = place;
  const now = await contentOf(place);
  if (now.version !== version) throw stale(file.path, now.version);
  if (now.problem !== null)
    throw new RequestProblem("conflict", `${now.problem}; fix the file, or replace all of it with PUT`, now.problems);
  const ifVersion = version === NONE ? {} : { ifVersion: version };
  const schema: Schema<Values> = file.schema;
  const act = (current: Values) => {
    // Somebody has made the file meanwhile.
    if (version === NONE && !isDeepStrictEqual(current, file.empty)) throw new VersionConflict(file.path, null);
    return checked(place, change(current));
  };
  const options = { ...file.within, mode: file.mode, whenMissing: file.empty, ...ifVersion };
  await updateJson(file.path, schema, act, options).catch(async (error: unknown) => {
    if (error instanceof VersionConflict) throw stale(file.path, (await contentOf(place)).version);
    throw error;
  });
}

/** Puts settings in the place of a file that cannot be read as such; what it held is kept beside it. */
export async function replaceBad(place: SettingsPlace, version: string, values: unknown): Promise<void> {
  const { file } = place;
  const next = checked(place, values);
  await whileLocked(join(dirname(file.path), "anneal-files.lock"), async () => {
    const bytes = await readFile(file.path);
    if (versionOf(bytes) !== version) throw stale(file.path, versionOf(bytes));
    const { mode, within } = file;
    await writeAtomic(`${file.path}.bad-${version.slice(0, 12)}`, bytes, { ...within, mode: mode & 0o600 });
    await writeAtomic(file.path, `${JSON.stringify(next, null, 2)}\n`, { ...within, mode });
  });
}

interface Content {
  version: string;
  /** What it says, right or wrong; null where it says nothing that could be understood. */
  values: Values | null;
  problem: string | null;
  problems: ApiSettings["problems"];
}

export async function contentOf({ file }: SettingsPlace): Promise<Content> {
  const read = await readJson<Values>(file.path, file.schema, file.within);
  if (read.ok) return { version: read.version, values: read.value, problem: null, problems: [] };
  if (read.reason === "missing") return { version: NONE, values: {}, problem: null, problems: [] };
  const problem = read.error;
  if (read.reason === "unreadable") return { version: UNREADABLE, values: null, problem, problems: [] };
  const values = recordIn(read.raw);
  const parsed = values === null ? null : file.schema.safeParse(values);
  const problems = parsed === null || parsed.success ? [{ path: "(whole)", message: problem }] : placed(parsed.error);
  return { version: versionOf(await readFile(file.path)), values, problem, problems };
}

/** What is about to be written, where it is allowed. */
function checked({ file }: SettingsPlace, values: unknown): Values {
  const parsed = file.schema.safeParse(values);
  if (parsed.success) return isRecord(values) ? values : {};
  const problems = placed(parsed.error);
  const [first] = problems;
  throw new RequestProblem("bad-request", `${first?.path}: ${first?.message}; nothing was changed`, problems);
}

function placed(error: Parameters<typeof describeIssues>[0]): ApiSettings["problems"] {
  return describeIssues(error).map((line) => {
    const colon = line.indexOf(": ");
    return { path: line.slice(0, colon), message: line.slice(colon + 2) };
  });
}

/** Keys of other tools are in force for those. */
function known({ scope }: SettingsPlace, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([key]) => Object.hasOwn(KNOWN_SETTINGS[scope], key)));
}

function shown(values: Values): Values {
  const covered = masked(values);
  return isRecord(covered) ? covered : {};
}

function recordIn(raw: string): Values | null {
  try {
    const value: unknown = JSON.parse(raw.replace(/^\uFEFF/, ""));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function versionOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

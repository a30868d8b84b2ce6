import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tighter } from "@anneal/core";
import { dataDirectory } from "@anneal/system/files/data-directory";
import {
  type Caps,
  DEFAULT_REVIEW_LOOP_CONFIG,
  describeIssues,
  GlobalSettings,
  type Policy,
  ProjectSettings,
  type PromptCustomization,
  type ReviewLoopConfig,
} from "@anneal/types";
import { interpretJson, type JsonContent, type ReadResult, readJson, type Schema, updateJson } from "./json-file.ts";
import { positionOfPath } from "./json-text.ts";

/** What holds: the project's word over the global one over the default. */
export interface Settings {
  maxConcurrency: number;
  useWorktrees: boolean;
  reviewLoop: ReviewLoopConfig;
  promptCustomization: PromptCustomization;
  /** The project's own policies first; of two with one name only the first is here. */
  policies: Policy[];
  budgets: Caps;
}

export interface LoadedSettings {
  settings: Settings;
  /** Both levels as they hold, with the keys of other tools. */
  project: ProjectSettings;
  global: GlobalSettings;
  /** One line for each value that does not hold: file, location, key, and what is allowed there. */
  problems: string[];
  /** Where the value of a key stands that holds; where nobody names it, the project's file. */
  placeOf(key: keyof ProjectSettings & keyof GlobalSettings): { path: string; line: number };
}

/**
 * Reads both settings files. A bad value never takes effect and never harms the others: in its place holds what
 * `lastGood` had there, else the next level. The files are not touched.
 */
export async function loadSettings(
  projectRoot: string,
  dataDir: string = dataDirectory(),
  lastGood?: LoadedSettings,
): Promise<LoadedSettings> {
  const [project, global] = await Promise.all([
    readLevel(projectSettings(projectRoot), lastGood?.project),
    readLevel(globalSettings(dataDir), lastGood?.global),
  ]);
  return both(project, global);
}

/** The same, with project settings that are not those on disk: `text` is null where there are none. */
export async function loadSettingsWith(
  { text, path }: { text: string | null; path: string },
  dataDir: string = dataDirectory(),
): Promise<LoadedSettings> {
  const scope = { ...projectSettings(""), path };
  const project =
    text === null ? level(scope, scope.empty) : levelOf(scope, interpretJson(path, Buffer.from(text), scope.schema));
  return both(project, await readLevel(globalSettings(dataDir), undefined));
}

function both(project: Level<ProjectSettings>, global: Level<GlobalSettings>): LoadedSettings {
  return {
    settings: merged(project.values, global.values),
    project: project.values,
    global: global.values,
    problems: [...project.problems, ...global.problems],
    placeOf(key) {
      const isGlobal = project.values[key] === undefined && global.values[key] !== undefined;
      const { path, raw } = isGlobal ? global : project;
      return { path, line: positionOfPath(raw, [key]).line };
    },
  };
}

/** The same with other project settings, and with what is wrong with those on disk. */
export function withProject(
  loaded: LoadedSettings,
  project: ProjectSettings,
  wrong: readonly string[],
): LoadedSettings {
  const { global, problems } = loaded;
  return { ...loaded, project, settings: merged(project, global), problems: [...problems, ...wrong] };
}

/** Changes one settings file, which is made where there is none. Unknown keys, order and layout stay. */
export async function updateSettings<T>(
  scope: SettingsScope<T>,
  change: (settings: T) => T | null,
  { ifVersion }: { ifVersion?: string } = {},
): Promise<JsonContent<T> & { changed: boolean }> {
  await mkdir(dirname(scope.path), { recursive: true, mode: scope.folderMode });
  const { empty: whenMissing, mode, within } = scope;
  const options = { whenMissing, mode, ...within, ...(ifVersion ? { ifVersion } : {}) };
  return updateJson(scope.path, scope.schema, change, options);
}

/** One of the two settings files. */
export interface SettingsScope<T> {
  path: string;
  /** A repository must not lead to files outside of it; the user's own file may lie wherever the user links it to. */
  within: { jail?: string };
  schema: Schema<T>;
  empty: T;
  mode: number;
  folderMode: number;
}

export function projectSettings(projectRoot: string): SettingsScope<ProjectSettings> {
  const path = join(projectRoot, ".automaker", "settings.json");
  const within = { jail: projectRoot };
  return { path, within, schema: ProjectSettings, empty: { version: 1 }, mode: 0o666, folderMode: 0o777 };
}

export function globalSettings(dataDir: string = dataDirectory()): SettingsScope<GlobalSettings> {
  const path = join(dataDir, "settings.json");
  return { path, within: {}, schema: GlobalSettings, empty: { version: 4 }, mode: 0o600, folderMode: 0o700 };
}

function merged(project: ProjectSettings, global: GlobalSettings): Settings {
  const codeReview = { ...global.promptCustomization?.codeReview, ...project.promptCustomization?.codeReview };
  const policies = [...(project.policies ?? []), ...(global.policies ?? [])];
  return {
    maxConcurrency: project.maxConcurrency ?? global.maxConcurrency ?? 3,
    useWorktrees: global.useWorktrees ?? true,
    reviewLoop: { ...DEFAULT_REVIEW_LOOP_CONFIG, ...defined(global.reviewLoop), ...defined(project.reviewLoop) },
    promptCustomization: { ...global.promptCustomization, ...project.promptCustomization, codeReview },
    policies: policies.filter(({ name }, index) => policies.findIndex((other) => other.name === name) === index),
    // A repository does not lift what the user allows.
    budgets: { ...global.budgets, ...project.budgets, ...tighter(global.budgets ?? {}, project.budgets ?? {}) },
  };
}

function defined(config: Settings["reviewLoop"] | ProjectSettings["reviewLoop"]): Partial<ReviewLoopConfig> {
  return Object.fromEntries(Object.entries(config ?? {}).filter(([, value]) => value !== undefined));
}

/** One file's values, as far as they hold. */
interface Level<T> {
  path: string;
  raw: string;
  values: T;
  problems: string[];
}

function level<T>({ path }: Pick<SettingsScope<T>, "path">, values: T, raw = ""): Level<T> {
  return { path, raw, values, problems: [] };
}

async function readLevel<T extends object>(scope: SettingsScope<T>, lastGood: T | undefined): Promise<Level<T>> {
  return levelOf(scope, await readJson(scope.path, scope.schema, scope.within), lastGood);
}

function levelOf<T extends object>(scope: SettingsScope<T>, read: ReadResult<T>, lastGood?: T): Level<T> {
  const { path, schema, empty } = scope;
  if (read.ok) return level(scope, read.value, read.raw);
  if (read.reason === "missing") return level(scope, empty);
  const { raw } = read;
  const salvaged = withoutBadValues(path, raw, schema, lastGood);
  return salvaged ?? { path, raw, values: lastGood ?? empty, problems: [read.error] };
}

function withoutBadValues<T extends object>(
  path: string,
  raw: string,
  schema: Schema<T>,
  lastGood: T | undefined,
): Level<T> | null {
  const value = objectOrNull(raw);
  const parsed = value && schema.safeParse(value);
  if (!value || !parsed || parsed.success) return null;
  const good = new Map(Object.entries(lastGood ?? {}));
  const bad = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  const entries = Object.entries(value).flatMap(([key, mine]) => {
    if (!bad.has(key)) return [[key, mine]];
    return good.has(key) ? [[key, good.get(key)]] : [];
  });
  const salvaged = schema.safeParse(Object.fromEntries(entries));
  if (!salvaged.success) return null;
  const problems = describeIssues(parsed.error).map((problem, index) => {
    const { line, column } = positionOfPath(raw, parsed.error.issues[index]?.path ?? []);
    return `${path}:${line}:${column}: ${problem}`;
  });
  return { path, raw, values: salvaged.data, problems };
}

function objectOrNull(raw: string): object | null {
  try {
    const value: unknown = JSON.parse(raw.replace(/^\uFEFF/, ""));
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

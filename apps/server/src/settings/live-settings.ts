import { createHash } from "node:crypto";
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { join } from "node:path";
import {
  globalSettings,
  type LoadedSettings,
  loadSettings,
  projectSettings,
  type SettingsScope,
} from "@anneal/adapters/files";
import type { ApiSettingsScope, GlobalSettings, ProjectSettings } from "@anneal/types";

export type SettingsPlace =
  | { scope: "global"; file: SettingsScope<GlobalSettings>; root: null }
  | { scope: "project"; file: SettingsScope<ProjectSettings>; root: string };

export type OnChange = (scope: ApiSettingsScope) => Promise<void> | void;

interface Watched {
  stop(): void;
  onChange: OnChange;
  version: string | null;
  /** Settles when everybody knows this version. */
  told: Promise<void>;
}

const LOOK_MS = 1_000;

/** The settings as they hold for this server: it remembers the last good values, and notices changes on disk. */
export class LiveSettings {
  readonly #dataDir: string;
  readonly #good = new Map<string, LoadedSettings>();
  readonly #watched = new Map<string, Watched>();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  place(root: string | null): SettingsPlace {
    if (root === null) return { scope: "global", file: globalSettings(this.#dataDir), root };
    return { scope: "project", file: projectSettings(root), root };
  }

  /** What holds for a project, or without any. In place of a bad value holds the last good one. */
  async load(root: string | null): Promise<LoadedSettings> {
    const from = root ?? join(this.#dataDir, "no-project");
    const loaded = await loadSettings(from, this.#dataDir, this.#good.get(from));
    this.#good.set(from, loaded);
    return loaded;
  }

  /** Tells of changes to a file, whoever makes them, until it is closed or the returned function is called. */
  watch(root: string | null, onChange: OnChange): () => void {
    const { path } = this.place(root).file;
    const notice = () => void this.look(root);
    const stop = () => {
      unwatchFile(path, notice);
      this.#watched.delete(path);
    };
    this.#watched.set(path, { stop, onChange, version: hashOf(path), told: Promise.resolve() });
    watchFile(path, { interval: LOOK_MS, persistent: false }, notice);
    return stop;
  }

  /** Tells of a change right away; settles when all have been told, also where somebody else has noticed it first. */
  async look(root: string | null): Promise<void> {
    const { file, scope } = this.place(root);
    const watched = this.#watched.get(file.path);
    const version = hashOf(file.path);
    if (watched === undefined) return;
    if (watched.version !== version) {
      watched.version = version;
      watched.told = watched.told
        .catch(() => {})
        // The values are read right away, so that those from before a mistake are known.
        .then(() => this.load(root))
        .then(() => watched.onChange(scope));
    }
    await watched.told;
  }

  close(): void {
    for (const { stop } of [...this.#watched.values()]) stop();
  }
}

/** Null where there is none. */
function hashOf(path: string): string | null {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return null;
  }
}

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { featureStore, type NewFeature } from "@anneal/adapters/features";
import { openRepo } from "@anneal/git";
import type { SignalName } from "@anneal/types";
import { onTestFinished, vi } from "vitest";
import { type Files, makeRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";
import { Follower } from "../../history/follow.ts";
import type { RunArgs } from "../../project/run.ts";
import {
  type AutoResult,
  type Initialised,
  initProject,
  type LoopNotification,
  openNamedItem,
  openReader,
  type ProjectReader,
  run,
  type SignalAnswer,
  sendSignal,
} from "../../project.ts";
import { type TickingClock, tickingClock } from "./ticking-clock.ts";

export const PERSON = "Robin Example";
const PLANS = ".automaker/plans";

/** A project as a person has it after `anneal init`, driven as the command line drives it. */
export interface SampleProject {
  repo: TestRepo;
  root: string;
  clock: TickingClock;
  /** What went wrong outside the loops. */
  troubles: string[];
  /** `anneal add`, with the script that its agents play. */
  add(feature: NewFeature, plan: Plan): Promise<string>;
  plan(id: string, plan: Plan): void;
  /** `anneal run ID…`, or `anneal run --all`. */
  run(only?: string[], options?: RunOptions): Promise<AutoResult>;
  /** `anneal SIGNAL ID --note …`. */
  say(id: string, signal: SignalName, note?: string): Promise<SignalAnswer>;
  read<T>(look: (reader: ProjectReader) => T | Promise<T>): Promise<T>;
  /** Everything that the log tells, from its first event on. */
  notifications(): Promise<LoopNotification[]>;
  feature(id: string): Record<string, unknown>;
  /** The files of a feature's folder by name. */
  files(id: string): Record<string, string>;
}

export interface RunOptions {
  limit?: number;
  /** `--implementer`, `--reviewer` and `--fixer`. */
  cast?: RunArgs["cast"];
  /** `--policy`. */
  policy?: string;
  onEvent?: (notification: LoopNotification) => void;
  onProgress?: NonNullable<RunArgs["onProgress"]>;
  /** `anneal pr watch`. */
  stays?: boolean;
  signal?: AbortSignal;
}

/** What a script's agents play; without a name and a model it is the sample's. */
export interface Plan {
  steps: object[];
  repeatLast?: boolean;
  name?: string;
  model?: string;
}

export const MODEL = "claude-opus-4-5-20251101";

export interface SampleOptions {
  files?: Files;
  /** Besides the agents; may use what `anneal init` found. */
  settings?: object | ((found: Initialised) => object);
  clock?: TickingClock;
}

export async function sampleProject({ files = {}, settings = {}, clock }: SampleOptions = {}): Promise<SampleProject> {
  const repo = makeRepo({ "README.md": "# Sample\n", ...files });
  onTestFinished(() => repo.remove());
  // The settings and the git configuration of whoever runs the tests must not matter.
  vi.stubEnv("ANNEAL_DATA_DIR", join(repo.dir, ".git", "no-data"));
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
  onTestFinished(() => void vi.unstubAllEnvs());
  const found = await initProject(await openRepo(repo.dir));
  const player = `scripted:${PLANS}/{id}.json`;
  const agents = { implementer: player, reviewer: player, fixer: player };
  const more = typeof settings === "function" ? settings(found) : settings;
  repo.write({ ".automaker/settings.json": `${JSON.stringify({ version: 1, agents, ...more }, null, 2)}\n` });
  return driven(repo, clock);
}

/** Drives a project that lies in a repository already. */
export function driven(repo: TestRepo, clock: TickingClock = tickingClock()): SampleProject {
  const root = repo.dir;
  const troubles: string[] = [];
  let added = 0;
  const folder = (id: string) => join(root, ".automaker/features", id);
  const plan = (id: string, { steps, ...rest }: Plan) => {
    const file = join(root, PLANS, `${id}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ name: "scripted", model: MODEL, steps, ...rest }));
  };
  const read = async <T>(look: (reader: ProjectReader) => T | Promise<T>) => {
    using reader = await openReader(root, clock);
    return await look(reader);
  };
  return {
    repo,
    root,
    clock,
    troubles,
    plan,
    read,
    async add(feature, script) {
      added += 1;
      const random = () => added / 36;
      const { id } = await featureStore(root, { clock, random }).create(feature);
      plan(id, script);
      return id;
    },
    run: (
      only,
      { limit = 1, cast = {}, stays = false, signal = new AbortController().signal, onEvent, onProgress, policy } = {},
    ) =>
      run({
        root,
        clock,
        cast,
        limit,
        by: PERSON,
        stays,
        signal,
        onEvent: (notification) => {
          clock.tick();
          onEvent?.(notification);
        },
        onTrouble: (item, message) => troubles.push(`${item}: ${message}`),
        onOtherOwner: () => {
          throw new Error("another process owns the sample project");
        },
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(only === undefined ? {} : { only }),
        ...(policy === undefined ? {} : { overrides: { policy } }),
      }),
    async say(id, signal, note) {
      using talk = await openNamedItem(root, id, clock);
      const { row } = talk;
      if (row === null) throw new Error(`${id} has no loop`);
      clock.tick();
      return await sendSignal({ ...talk, row, by: PERSON, clock }, { signal, ...(note === undefined ? {} : { note }) });
    },
    notifications: () => read(({ store }) => (store === null ? [] : [...new Follower(store, 0).news()])),
    feature: (id) => JSON.parse(readFileSync(join(folder(id), "feature.json"), "utf8")),
    files: (id) =>
      Object.fromEntries(
        readdirSync(folder(id))
          .sort()
          .map((name) => [name, readFileSync(join(folder(id), name), "utf8")]),
      ),
  };
}

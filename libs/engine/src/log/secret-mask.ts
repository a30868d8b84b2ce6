import type { Clock } from "@anneal/adapters";
import { cleanedDeep, secretsIn, withoutCredentials } from "@anneal/adapters/credentials";
import { loadSettings } from "@anneal/adapters/files";
import { notificationSecrets } from "@anneal/adapters/notify/secrets";
import type { GlobalSettings, LoopEvent } from "@anneal/types";
import { isRecord } from "@anneal/types/unknown";
import { type BlobStore, openBlobs } from "./blobs.ts";
import type { GitFolder } from "./log-folder.ts";

type Holding = Pick<GlobalSettings, "agentSetup" | "notifications">;

/** What nobody may read. */
export interface Secrets {
  /** Values that are secret for certain: keys, tokens, passwords. */
  certain: readonly string[];
  /** The same, and whatever a user hands to an agent by name: it may be a plain word, such as the name of a folder. */
  all: readonly string[];
}

/** What this process holds, what it hands to agents by the settings, and how it reaches people. */
export function secretsOf({ agentSetup, ...global }: Holding, more: Secrets = { certain: [], all: [] }): Secrets {
  const here = presentIn(process.env);
  const own = Object.values(agentSetup ?? {}).map((setup) => {
    const { passEnv = [], env: set = {} } = setup;
    const env = { ...presentIn(Object.fromEntries(passEnv.map((name) => [name, here[name]]))), ...set };
    return { certain: secretsIn(env), all: secretsIn(env, { passEnv, env: set }) };
  });
  const told = notificationSecrets(global, process.env);
  const certain = [...more.certain, ...secretsIn(here), ...told, ...own.flatMap((one) => one.certain)];
  return { certain, all: [...certain, ...more.all, ...own.flatMap((one) => one.all)] };
}

/** Takes secrets out of whatever is kept or shown. It learns of more while it is used, and forgets none. */
export class SecretMask {
  readonly #known: () => Promise<Secrets>;
  readonly #certain = new Set<string>();
  readonly #all = new Set<string>();
  #cleanPath = withoutCredentials([]);
  #clean = withoutCredentials([]);

  /** For a project: what our environment and the settings hold, and what the caller does. */
  static of(root: string, { secrets }: { secrets?: () => Secrets } = {}): Promise<SecretMask> {
    const known = async () => secretsOf((await loadSettings(root)).global, secrets?.());
    return new SecretMask(known).upToDate();
  }

  constructor(known: () => Promise<Secrets>) {
    this.#known = known;
  }

  /** The same, that knows what the settings say by now. */
  async upToDate(): Promise<this> {
    this.#learn(await this.#known());
    return this;
  }

  #learn({ certain, all }: Secrets): void {
    const before = this.#all.size;
    for (const value of certain) this.#certain.add(value);
    for (const value of all) this.#all.add(value);
    if (this.#all.size === before) return;
    this.#cleanPath = withoutCredentials([...this.#certain]);
    this.#clean = withoutCredentials([...this.#all]);
  }

  get secrets(): Secrets {
    return { certain: [...this.#certain], all: [...this.#all] };
  }

  readonly text = (text: string): string => this.#clean(text);

  /** An event without secrets in what somebody said; what the loop works with, such as commits and branches, stays. */
  readonly event = <E extends LoopEvent>(event: E): E => {
    const entries = Object.entries(event).map(([key, value]) => [key, this.#part(event.type, key, value)]);
    return Object.fromEntries(entries) as E;
  };

  #part(type: LoopEvent["type"], key: string, value: unknown): unknown {
    if (WORDS.has(key) || (key === "checks" && type === "merged")) return this.#words(value);
    if (key === "by" && isRecord(value)) return { ...value, model: this.#words(value.model) };
    if (key === "plan" && isRecord(value)) return { ...value, message: this.#words(value.message) };
    return value;
  }

  #words(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#words(one));
    if (!isRecord(value)) return cleanedDeep(value, this.#clean);
    const entries = Object.entries(value).map(([key, one]) => [
      this.#clean(key),
      // A finding whose file has another name would be about nothing.
      PATHS.has(key) ? cleanedDeep(one, this.#cleanPath) : this.#words(one),
    ]);
    return Object.fromEntries(entries);
  }
}

/** Keeps words without secrets; bytes are files of the repository, and stay what they are. */
export function openMaskedBlobs(
  repo: GitFolder,
  { clock, mask: { text } }: { clock: Pick<Clock, "now">; mask: SecretMask },
): BlobStore {
  const blobs = openBlobs(repo, { clock });
  return { ...blobs, put: (content) => blobs.put(typeof content === "string" ? text(content) : content) };
}

/** What agents, people and forges say in an event. */
const WORDS: ReadonlySet<string> = new Set([
  "report",
  "findings",
  "tests",
  "refutations",
  "reason",
  "detail",
  "note",
  "because",
  "coverage",
  "looks",
]);

/** Which files it is about, within those. */
const PATHS: ReadonlySet<string> = new Set(["file", "reviewed"]);

function presentIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

import { join } from "node:path";
import { DamagedFile, MissingFile } from "@anneal/system/files/errors";
import { readJson, type Schema, updateJson } from "../../files/json-file.ts";
import { ForgeError } from "../contract/errors.ts";
import type { Check, Comment, Permission, PullRequest, Review } from "../contract/port.ts";

/** Next to the refs and objects of the bare repository; its presence makes the repository a fake forge. */
export const STATE_FILE = "anneal-fake-forge.json";

/** A merge that is decided: whoever finds it can carry it out or see that it was. */
export interface FakeMergePlan {
  commit: string;
  head: string;
  /** The base that it was made on; from any other it cannot happen. */
  onto: string;
}

/** Bodies are stored as they were sent, markers included, as a real forge does. */
export type StoredComment = Omit<Comment, "key" | "url" | "isBot">;
export type StoredReview = Omit<Review, "key" | "isBot" | "state"> & { state: Review["state"] | "pending" };
export interface StoredPull extends Omit<PullRequest, "url" | "head" | "mergeability" | "key"> {
  branch: string;
  /** The head as it was last seen; final once the pull request is closed or merged. */
  head: string;
  merging: FakeMergePlan | null;
  comments: StoredComment[];
  reviews: StoredReview[];
}
export type StoredCheck = Omit<Check, "url">;

export interface FakeState {
  version: 1;
  /** The account that our own side uses. */
  me: string;
  /** Comments, reviews and checks are numbered together. */
  nextId: number;
  users: Record<string, { permission: Permission; bot: boolean }>;
  pulls: StoredPull[];
  /** The highest number that was given, once a pull request was taken away. */
  lastPull?: number;
  checks: StoredCheck[];
  /** Until then every request is turned away; milliseconds since 1970. */
  limitedUntil: number | null;
  /** How many of the next changes are made without their answer reaching us. */
  answersToLose: number;
}

export interface FakeStore {
  dir: string;
  read(): Promise<FakeState>;
  /** Applies a change to the freshest state; it may run more than once, each time on a state of its own. */
  change<T>(act: (state: FakeState) => T): Promise<T>;
}

export function fakeStore(dir: string): FakeStore {
  const path = join(dir, STATE_FILE);
  return {
    dir,
    async read() {
      const found = await readJson(path, schema);
      if (found.ok) return found.value;
      throw trouble(found.cause);
    },
    async change(act) {
      const results: ReturnType<typeof act>[] = [];
      await updateJson(path, schema, (state) => {
        results.push(act(state));
        return state;
      }).catch((error: unknown) => {
        throw trouble(error);
      });
      // The last run is the one that was written.
      return results.at(-1) as ReturnType<typeof act>;
    },
  };
}

/** Begins a state where there is none. Of several who try at once, one does. */
export async function createState(dir: string, me: string): Promise<void> {
  const users = { [me]: { permission: "write", bot: false } } as const;
  const lists = { users, pulls: [], checks: [] };
  const whenMissing: FakeState = { version: 1, me, nextId: 1, ...lists, limitedUntil: null, answersToLose: 0 };
  await updateJson(join(dir, STATE_FILE), schema, (state) => state, { whenMissing }).catch((error: unknown) => {
    throw trouble(error);
  });
}

export function pullIn(state: FakeState, number: number): StoredPull {
  const found = state.pulls.find((pull) => pull.number === number);
  if (found === undefined) throw new ForgeError("not-found", `there is no pull request ${number}: check the number`);
  return found;
}

export function nextPull({ pulls, lastPull = 0 }: FakeState): number {
  return Math.max(lastPull, ...pulls.map(({ number }) => number)) + 1;
}

const schema: Schema<FakeState> = {
  safeParse: (value) => {
    if (isState(value)) return { success: true, data: value };
    throw new ForgeError("damaged", `${STATE_FILE} is not the file of a fake forge: restore an earlier version`);
  },
};

function isState(value: unknown): value is FakeState {
  if (typeof value !== "object" || value === null) return false;
  const { version, me, nextId, users, pulls, checks } = value as Partial<FakeState>;
  const lists = Array.isArray(pulls) && Array.isArray(checks) && typeof users === "object" && users !== null;
  return version === 1 && typeof me === "string" && typeof nextId === "number" && lists;
}

function trouble(error: unknown): unknown {
  if (error instanceof MissingFile) {
    return new ForgeError("no-forge", `${error.message}: make a fake forge there first`, { cause: error });
  }
  if (error instanceof DamagedFile) {
    return new ForgeError("damaged", `${error.message}: restore an earlier version`, { cause: error });
  }
  return error;
}

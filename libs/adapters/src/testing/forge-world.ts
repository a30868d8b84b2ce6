import { afterAll, beforeAll } from "vitest";
import type { Check, Forge, OpenRequest, Permission, PullRequest } from "../forges/contract/port.ts";
import type { ForgeUser } from "../forges/fake/people.ts";

/** A forge under test, with people on it. One repository serves all tests: each uses branches of its own. */
export interface ForgeWorld {
  forge: Forge;
  /** The same account from elsewhere: it shares nothing with the first but the forge itself. */
  again(): Promise<Forge>;
  as(name: string): ForgeUser;
  setUser(name: string, permission: Permission, kind?: "person" | "bot"): Promise<void>;
  setCheck(head: string, check: Pick<Check, "name"> & Partial<Omit<Check, "id" | "head" | "url">>): Promise<number>;
  limitUntil(ms: number | null): Promise<void>;
  loseAnswers(count: number): Promise<void>;
  /** The forge's clock, in milliseconds since 1970. */
  now(): number;
  /** The text of a file on a branch, or null. */
  fileAt(branch: string, path: string): Promise<string | null>;
  /** Whether the forge says which files conflict; git tells in any case. */
  namesConflicts: boolean;
  close(): Promise<void>;
}

/** What the tests of the contract work with. The world and its forge are there once the tests run. */
export interface ForgeFixture {
  world: ForgeWorld;
  forge: Forge;
  /** A branch of its own with one change, on a base of its own; not yet a pull request. */
  branch(files?: Record<string, string | null>): Promise<OpenRequest>;
  opened(over?: Partial<OpenRequest>): Promise<{ pull: PullRequest; request: OpenRequest }>;
}

export function forgeFixture(make: () => Promise<ForgeWorld>): ForgeFixture {
  let made: ForgeWorld;
  let count = 0;
  beforeAll(async () => {
    made = await make();
    await made.setUser("alice", "write");
    await made.setUser("root", "admin");
    await made.setUser("reader", "read");
    await made.setUser("linter", "write", "bot");
    await made.as("root").push("main", { "a.txt": "one\ntwo\nthree\n" });
  });
  afterAll(() => made.close());

  async function branch(files: Record<string, string | null> = {}): Promise<OpenRequest> {
    const n = ++count;
    const base = `base-${n}`;
    await made.as("root").push(base, { "base.txt": `${n}\n` }, "main");
    await made.as("root").push(`topic-${n}`, { [`new-${n}.txt`]: "new\n", ...files }, base);
    return { key: `loop-${n}`, branch: `topic-${n}`, base, title: "Add a file", body: "Why.", draft: false };
  }
  return {
    world: whenMade(() => made),
    forge: whenMade(() => made.forge),
    branch,
    async opened(over = {}) {
      const request = { ...(await branch()), ...over };
      return { pull: (await made.forge.open(request)).pull, request };
    },
  };
}

/** Stands for something that exists only once the tests run, while they are still being written down. */
function whenMade<T extends object>(get: () => T): T {
  return new Proxy({} as T, { get: (_, name) => Reflect.get(get(), name) });
}

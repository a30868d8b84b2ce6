import { createHash } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { failpoint } from "@anneal/system/failpoint";
import type { Clock } from "../../ports.ts";
import { ForgeError } from "../contract/errors.ts";
import type { Forge } from "../contract/port.ts";
import { bareRepo, createBareRepo } from "./bare-repo.ts";
import { type FakeContext, look, pullRequestRefsOf, urlOf } from "./context.ts";
import { conversation } from "./conversation.ts";
import { settled } from "./merge.ts";
import { type FakeWorld, fakeWorld } from "./people.ts";
import { pullRequests } from "./pull-requests.ts";
import { createState, fakeStore, pullIn, STATE_FILE } from "./state.ts";

export type { CommentLocation, FakeWorld, ForgeUser, PersonsReview } from "./people.ts";

/** A forge on disk: a bare repository for the code, a JSON file in it for what people say about the code. */
export interface FakeForge extends Forge, FakeWorld {
  /** The bare repository, and the address to push to. */
  dir: string;
}

export interface FakeOptions {
  clock?: Clock;
}

/** Makes a fake forge in a folder that is empty, missing, or a bare repository; one that is there stays as it is. */
export async function createFakeForge(dir: string, options: FakeOptions & { me?: string } = {}): Promise<FakeForge> {
  if (await exists(join(dir, ".git"))) {
    throw new ForgeError("invalid", `${dir} is a work tree: a fake forge needs an empty folder or a bare repository`);
  }
  await mkdir(dir, { recursive: true });
  if (!(await exists(join(dir, "HEAD")))) await createBareRepo(dir);
  if (!(await exists(join(dir, "HEAD")))) {
    throw new ForgeError(
      "invalid",
      `${dir} contains other files: a fake forge needs an empty folder or a bare repository`,
    );
  }
  failpoint("forge.create.before");
  await createState(dir, options.me ?? "anneal");
  failpoint("forge.create.after");
  return openFakeForge(dir, options);
}

export async function openFakeForge(dir: string, { clock = systemClock }: FakeOptions = {}): Promise<FakeForge> {
  if (!(await isFakeForge(dir))) {
    throw new ForgeError("no-forge", `${dir} is not a fake forge: it needs to be a bare repository with ${STATE_FILE}`);
  }
  const desk: FakeContext = { store: fakeStore(dir), repo: bareRepo(dir, clock), clock };
  return {
    name: "fake",
    dir,
    ...pullRequests(desk),
    ...conversation(desk),
    ...people(desk),
    ...fakeWorld(desk),
  };
}

export async function isFakeForge(dir: string): Promise<boolean> {
  return (await exists(join(dir, STATE_FILE))) && (await exists(join(dir, "HEAD")));
}

function people(desk: FakeContext): Pick<Forge, "me" | "permission" | "checks" | "changed"> {
  return {
    me: async () => (await look(desk)).me,
    async permission(user) {
      const { users } = await look(desk);
      return (Object.hasOwn(users, user) ? users[user]?.permission : undefined) ?? "none";
    },
    async checks(head) {
      const { checks } = await look(desk);
      const latest = new Map(checks.filter((check) => check.head === head).map((check) => [check.name, check]));
      return [...latest.values()].map((check) => ({ ...check, url: `${urlOf(desk, 0)}/checks/${check.id}` }));
    },
    async changed(number, since) {
      await settled(desk, number);
      const state = await look(desk);
      const pull = pullIn(state, number);
      const { head, branch, base } = await pullRequestRefsOf(desk, pull);
      const checks = state.checks.filter((check) => check.head === head);
      const cursor = createHash("sha256")
        .update(JSON.stringify([pull, head, branch, base, checks]))
        .digest("hex");
      return { changed: cursor !== since, cursor };
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

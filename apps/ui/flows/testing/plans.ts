import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFakeForge, type FakeForge } from "../../../../libs/adapters/src/forges/fake/index.ts";
import { epicFiles, playedBy, type SampleTickets } from "../../../../libs/engine/src/golden/testing/sample-epics.ts";
import { storyText } from "../../../../libs/engine/src/golden/testing/sample-stories.ts";
import { openProject } from "../../../../libs/engine/src/history/reader.ts";
import { systemClock } from "../../../../libs/engine/src/index.ts";
import type { LoopWorld } from "../../../server/src/testing/loop-world.ts";
import { listen } from "../../../server/src/testing/server-world.ts";

type Place = Pick<LoopWorld, "root">;

/** A story in a file of the repository, which the project has heard of, and what its agents do. */
export function addStory(place: Place, id: string, title: string, steps: readonly object[]): void {
  const file = `docs/stories/${id}.md`;
  write(place, { [file]: storyText(id, title) });
  commit(place, `story ${id}`);
  write(place, { [`.automaker/stories/${id}/story.json`]: JSON.stringify({ file }) });
  script(place, id, steps);
}

/** The epic `limits` with these tickets, and what their agents do. */
export function addEpic(place: Place, tickets: SampleTickets, steps: Record<string, readonly object[]>): void {
  write(place, { "src/index.js": "export {};\n", ...epicFiles(tickets) });
  commit(place, "the epic");
  setSettings(place, { testCommand: "grep -rq export src" });
  for (const [ticket, played] of Object.entries(steps)) script(place, `limits/${ticket}`, playedBy(ticket, played));
}

/** A forge on disk that knows Alice, to which the project may push. */
export async function addForge(place: Place): Promise<FakeForge> {
  const dir = join(place.root, ".git/forge.git");
  const forge = await createFakeForge(dir);
  await forge.setUser("alice", "write");
  git(place, "remote", "add", "origin", dir);
  git(place, "push", "--quiet", "origin", "main");
  const pushConsent = { url: dir, by: "Ada", at: "2026-01-09T14:00:00Z" };
  setSettings(place, { pushConsent, pullRequests: { pollMs: 1_000 } });
  return forge;
}

/** Starts an item as the command line beside a server does, and waits until its loop is in one of these stages. */
export async function runBeside(world: LoopWorld, key: string, stages: readonly string[]): Promise<void> {
  const stream = await listen(world, { project: world.project, since: "0" });
  try {
    using project = await openProject(world.root, systemClock);
    project.store.post({ id: randomUUID(), loop: null, body: { kind: "start", item: key, by: "cli", overrides: {} } });
    for (;;) {
      const seen = stream.frames.length;
      if (stages.includes(await stageOf(world, key))) return;
      await stream.until((frames) => frames.length > seen);
    }
  } finally {
    stream.close();
  }
}

async function stageOf(world: LoopWorld, key: string): Promise<string> {
  const { body } = await world.get<{ loop?: { stage: string } | null }>(
    `/api/projects/${world.project}/items/${encodeURIComponent(key)}`,
  );
  return body.loop?.stage ?? "";
}

export function script(place: Place, id: string, steps: readonly object[]): void {
  write(place, { [`.automaker/scripts/${id}.json`]: JSON.stringify({ steps }) });
}

export function setSettings(place: Place, change: object): void {
  const path = ".automaker/settings.json";
  const now = JSON.parse(readFileSync(join(place.root, path), "utf8"));
  write(place, { [path]: JSON.stringify({ ...now, ...change }) });
}

export function write({ root }: Place, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

export function git({ root }: Place, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  return execFileSync("git", args, { cwd: root, env, encoding: "utf8" });
}

function commit(place: Place, message: string): void {
  git(place, "add", "--all", "--", ".", ":!.automaker");
  git(place, "commit", "--quiet", "--message", message);
}

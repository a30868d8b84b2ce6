import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import type { LoopEvent } from "@anneal/types";
import { type LoopSummary, summaryOf } from "../../libs/engine/src/history/summary.ts";
import { openBlobs, openStore } from "../../libs/engine/src/log/index.ts";
import { decisionText } from "../../libs/engine/src/review/testing/decision-text.ts";
import { endlessLoop, POLICY, type Step } from "../long-loop.ts";
import { git } from "../scratch.ts";

/** What a project holds beside the features that are run. */
export interface Beside {
  /** Features that wait in the backlog. */
  waiting?: number;
  /** Events in the log, of features whose loop has ended. */
  events?: number;
}

const FILES = 20;
const EDITED = "file-1.ts";

/**
 * A small repository with features `f0`, `f1` … whose agents are scripts that take no time and pass in the first round. Gives how
 * many loops have ended in it.
 */
export function makeProject(root: string, features: number, { waiting = 0, events = 0 }: Beside = {}): number {
  mkdirSync(root, { recursive: true });
  git(root, "init", "--quiet", "--initial-branch=main");
  git(root, "config", "user.name", "Robin Example");
  git(root, "config", "user.email", "robin@example.com");
  for (let n = 0; n < FILES; n += 1) write(join(root, `file-${n}.ts`), `export const value = ${n};\n`);
  write(join(root, ".gitignore"), ".automaker/\n");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "first");
  git(root, "gc", "--quiet");
  const player = "scripted:.automaker/{id}.script";
  const agents = { implementer: player, reviewer: player, fixer: player };
  write(join(root, ".automaker/settings.json"), JSON.stringify({ version: 1, agents }));
  for (let n = 0; n < features; n += 1) {
    feature(root, `f${n}`, "backlog");
    write(join(root, `.automaker/f${n}.script`), JSON.stringify({ name: "instant", steps: script(n) }));
  }
  for (let n = 0; n < waiting; n += 1) feature(root, `waiting-${n}`, "backlog");
  return endLoops(root, events);
}

/** What the implementer leaves, so that others can leave it as well. */
export function edit(root: string, n: number): void {
  writeFileSync(join(root, EDITED), edited(n));
}

function edited(n: number): string {
  return `export const value = ${100 + n};\n`;
}

function script(n: number): object[] {
  return [
    { role: "implementer", answer: "Done.", edits: [{ path: EDITED, content: edited(n) }] },
    { role: "reviewer", answer: decisionText("APPROVED") },
  ];
}

function endLoops(root: string, events: number): number {
  if (events === 0) return 0;
  const repo = { gitDir: join(root, ".git") };
  const store = openStore<LoopEvent, LoopSummary>(repo, { clock: systemClock });
  // The texts are alike, and one file each is enough for what is measured.
  const blob = openBlobs(repo, { clock: systemClock }).put("What an agent said, or a change.\n");
  let loops = 0;
  for (; store.lastSeq() < events; loops += 1) {
    const id = `ended-${loops}`;
    const about = { title: `Add ${id}`, branch: `feature/${id}`, policy: POLICY };
    const entries = untilEnded(id, blob).map(({ event, after }) => ({
      event,
      stage: after.stage,
      summary: summaryOf(about, after, { costUsd: 0.1, tokens: 25_000 }),
    }));
    const seqs = store.append(`${id}~1`, entries, { of: { kind: "feature", item: id } });
    store.markProjected(`${id}~1`, seqs.at(-1) ?? 0);
    feature(root, id, "verified");
  }
  store.close();
  return loops;
}

function untilEnded(id: string, blob: string): Step[] {
  const steps: Step[] = [];
  for (const step of endlessLoop(id, { put: () => blob }, { policy: POLICY, reviews: 1, last: "pass" })) {
    steps.push(step);
    if (step.after.stage === "ended") break;
  }
  return steps;
}

function feature(root: string, id: string, status: string): void {
  const text = JSON.stringify({ id, title: `Add ${id}`, description: "Adds the total to the list.", status });
  write(join(root, ".automaker/features", id, "feature.json"), text);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

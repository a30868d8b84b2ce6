import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { featureFields } from "@anneal/core/write";
import type { LoopEvent } from "@anneal/types";
import { type LoopSummary, summaryOf } from "../../libs/engine/src/history/summary.ts";
import { openBlobs, openStore } from "../../libs/engine/src/log/index.ts";
import { endlessLoop, POLICY, type Step } from "../long-loop.ts";
import { git } from "../scratch.ts";

const clock = { now: () => Date.UTC(2030, 0, 2) };
/** As many as a killed owner can have had at work. */
const BEHIND = 3;

/** Makes a project with loops that have run out of rounds and wait for a person; the files of a few are behind. */
export async function makeWaitingProject([root = "", count = "0"]: string[]): Promise<{ events: number }> {
  mkdirSync(root);
  git(root, "init", "--quiet", "--initial-branch=main");
  write(join(root, ".gitignore"), ".automaker/\n.worktrees/\n");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "first");
  const repo = { gitDir: join(root, ".git") };
  const store = openStore<LoopEvent, LoopSummary>(repo, { clock });
  const blobs = openBlobs(repo, { clock });
  for (let n = 0; n < Number(count); n += 1) {
    const id = `feature-${String(n).padStart(5, "0")}`;
    const steps = untilWaiting(id, blobs);
    const last = steps.at(-1)?.after;
    if (last === undefined) throw new Error("a loop without events");
    const about = { title: `Add ${id}`, branch: `feature/${id}`, policy: POLICY };
    const entries = steps.map(({ event, after }) => ({
      event,
      stage: after.stage,
      summary: summaryOf(about, after, { costUsd: 0, tokens: 0 }),
    }));
    const seqs = store.append(`${id}~1`, entries, { of: { kind: "feature", item: id } });
    const fields = featureFields(POLICY, last, (blob) => blobs.getText(blob));
    const feature = { id, title: `Add ${id}`, description: "Adds the total to the list.", ...fields };
    write(join(root, ".automaker/features", id, "feature.json"), `${JSON.stringify(feature, null, 2)}\n`);
    if (n >= BEHIND) store.markProjected(`${id}~1`, seqs.at(-1) ?? 0);
  }
  const events = store.lastSeq();
  store.close();
  return { events };
}

function untilWaiting(id: string, texts: { put(text: string): string }): Step[] {
  const steps: Step[] = [];
  for (const step of endlessLoop(id, texts)) {
    steps.push(step);
    if (step.after.stage === "waiting-for-human") break;
  }
  return steps;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

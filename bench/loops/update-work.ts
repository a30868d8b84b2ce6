import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { featureStore } from "@anneal/adapters/features";
import type { LoopEvent, LoopState } from "@anneal/types";
import { seedEventsOf } from "../../libs/engine/src/history/notification.ts";
import { storeLog } from "../../libs/engine/src/history/store-log.ts";
import type { LoopSummary } from "../../libs/engine/src/history/summary.ts";
import { projectFeature } from "../../libs/engine/src/kinds/feature/projector.ts";
import { openBlobs, openStore } from "../../libs/engine/src/log/index.ts";
import { type Course, endlessLoop, POLICY, type Step } from "../long-loop.ts";
import { median } from "../median.ts";

const clock = { now: () => Date.UTC(2030, 0, 2), sleep: async () => {} };
const FILES = ["agent-output-iteration-1.md", "agent-output.md", "code-review-iteration-1.md", "feature.json"];

/** One event into the log and all files of its feature, against the same files written bare. Times in ms. */
export async function updates([root = "", runs = "0"]: string[]) {
  const feature = openFeature(root, "total");
  const reviewed = feature.upTo("reviewed");
  await feature.project(reviewed);
  const bare = join(root, "bare");
  mkdirSync(bare);
  const texts = FILES.map((name) => readFileSync(join(feature.folder, name), "utf8"));
  const ours: number[] = [];
  const baseline: number[] = [];
  for (let run = 0; run < Number(runs); run += 1) {
    const step = { ...reviewed, after: reviewedAgain(reviewed.after, run, feature.said(run)) };
    const before = inodes(feature.folder);
    ours.push(
      await time(async () => {
        feature.append(step);
        await feature.project(step);
      }),
    );
    const kept = FILES.filter((_, at) => inodes(feature.folder)[at] === before[at]);
    if (kept.length > 0) throw new Error(`not written, so not comparable: ${kept.join(", ")}`);
    baseline.push(
      await time(async () => {
        for (const [at, name] of FILES.entries()) replace(join(bare, name), texts[at] ?? "");
      }),
    );
  }
  feature.close();
  const bytes = FILES.reduce((sum, name) => sum + statSync(join(feature.folder, name)).size, 0);
  return { ours: median(ours), baseline: median(baseline), worst: Math.max(...ours), files: FILES.length, bytes };
}

/** A feature with its log, as the owner of a project has it in hand. */
export function openFeature(root: string, id: string, course: Course = { policy: POLICY }) {
  const folder = join(root, ".automaker/features", id);
  mkdirSync(folder, { recursive: true });
  const feature = { id, title: "Total", description: "Adds the total to the list.", status: "backlog" };
  writeFileSync(join(folder, "feature.json"), `${JSON.stringify(feature, null, 2)}\n`);
  const repo = { gitDir: root };
  const store = openStore<LoopEvent, LoopSummary>(repo, { clock });
  const blobs = openBlobs(repo, { clock });
  const features = featureStore(root, { clock });
  const loopId = `${id}~1`;
  const about = { id, title: "Total", policy: course.policy };
  const log = storeLog(store, { ...about, loopId, kind: "feature", item: id, branch: `feature/${id}` });
  let appended = 0;
  return {
    folder,
    steps: endlessLoop(id, blobs, course),
    /** A text of an agent, as large as the others and unlike all of them. */
    said: (n: number) => blobs.put(`${String(n).padStart(5)} things are done in src/${id}.ts.\n`.repeat(20)),
    /** How many events its log holds. */
    appended: () => appended,
    append: ({ event, after }: Step): void => {
      log.append(event, after);
      appended += 1;
    },
    tell: ({ before, event, after }: Step) =>
      seedEventsOf({ kind: "feature", id }, course.policy, before, event, after),
    /** In one go, without files: to get past events that nobody measures. */
    appendAll(steps: readonly Step[]): void {
      const summary = store.loop(loopId)?.summary;
      if (summary === undefined) throw new Error("the first event of a loop is appended by itself");
      store.append(
        loopId,
        steps.map(({ event, after }) => ({ event, stage: after.stage, summary })),
      );
      appended += steps.length;
    },
    async project({ after }: Step, since: Step["before"] = null): Promise<void> {
      await projectFeature({ features, blobs, workspaces: { pathOf: (name) => name } }, about, after, since);
      store.markProjected(loopId, log.lastSeq());
    },
    /** Appends up to the first event of a type, and gives that. */
    upTo(type: LoopEvent["type"]): Step {
      for (;;) {
        const step = this.steps.next().value;
        this.append(step);
        if (step.event.type === type) return step;
      }
    },
    close: () => store.close(),
  };
}

/** The same in other words and at another time, in whole seconds as feature.json has it: a file that would not change is not written. */
function reviewedAgain(state: LoopState, run: number, output: string): LoopState {
  const later = (run + 1) * 1_000;
  const rounds = state.rounds.map((round) => ({ ...round, reviewedAt: round.reviewedAt + later }));
  return { ...state, rounds, outputs: state.outputs.map((one) => ({ ...one, output })) };
}

/** A file that is put in place anew is another file to the disk. */
function inodes(folder: string): number[] {
  return FILES.map((name) => statSync(join(folder, name)).ino);
}

async function time(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function replace(path: string, text: string): void {
  const fd = openSync(`${path}.tmp`, "w");
  writeFileSync(fd, text);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(`${path}.tmp`, path);
}

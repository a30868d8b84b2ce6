import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { advance, roundsDone, start } from "@anneal/core";
import { stageEndedBy } from "@anneal/core/show";
import type { ApiTranscript, LoopEvent, LoopState } from "@anneal/types";
import type { LoopHistory } from "../history/loop-history.ts";
import type { BlobStore, GitFolder } from "../log/index.ts";
import { runningTranscript } from "../log/transcripts.ts";

/** A record that can be read, in parts, while it is written too. */
export interface OpenRecord extends Disposable {
  state: "running" | "ended";
  /** Names its content; null while it grows. */
  hash: string | null;
  /** So far. */
  size: number;
  read(offset: number, length: number): Buffer;
}

/** The records of a loop's agents, oldest first; the one that is being made comes last. */
export function transcriptsOf(repo: GitFolder, history: LoopHistory, blobs: BlobStore): ApiTranscript[] {
  const { kept, turns } = keptBy(history);
  const ended = kept.map(({ hash, prompt, ...one }): ApiTranscript => {
    const bytes = blobs.size(hash);
    const promptBytes = prompt === null ? null : blobs.size(prompt);
    return { ...one, bytes: bytes ?? 0, state: bytes === null ? "gone" : "ended", promptBytes };
  });
  const running = runningNow(history, turns);
  if (running === null) return ended;
  using open = openRunning(repo, history, running.id);
  if (open === null) return ended;
  return [...ended, { ...running, bytes: open.size, state: "running", failed: null, promptBytes: null }];
}

/** Opens a record of a loop by its id; null if there is none, or it was removed. */
export function openTranscript(repo: GitFolder, history: LoopHistory, id: string, blobs: BlobStore): OpenRecord | null {
  const hash = keptBy(history).kept.find((one) => one.id === id)?.hash;
  return hash === undefined ? openRunning(repo, history, id) : openKept(hash, blobs);
}

/** Opens the prompts of a run's agents, by the id of its transcript; null where that is not on record. */
export function openPrompt(history: LoopHistory, id: string, blobs: BlobStore): OpenRecord | null {
  const prompt = keptBy(history).kept.find((one) => one.id === id)?.prompt ?? null;
  return prompt === null ? null : openKept(prompt, blobs);
}

function openKept(hash: string, blobs: BlobStore): OpenRecord | null {
  const size = blobs.size(hash);
  if (size === null) return null;
  const read = (offset: number, length: number) => blobs.getRange(hash, offset, length);
  return { state: "ended", hash, size, read, [Symbol.dispose]: () => {} };
}

const ROLES: Record<string, ApiTranscript["role"]> = {
  implementing: "implementer",
  reviewing: "reviewer",
  fixing: "fixer",
};

type Kept = Omit<ApiTranscript, "bytes" | "state" | "promptBytes"> & { hash: string; prompt: string | null };

function keptBy({ started, policy, events }: LoopHistory): { kept: Kept[]; turns: ReadonlyMap<string, number> } {
  const kept: Kept[] = [];
  const turns = new Map<string, number>();
  let state: LoopState = start(started);
  for (const { event } of events) {
    if (event.type === "loop-started") continue;
    const stage = stageEndedBy(event);
    const role = ROLES[stage ?? ""];
    if (stage !== null && role !== undefined) {
      const turn = (turns.get(stage) ?? 0) + 1;
      turns.set(stage, turn);
      const hash = "transcript" in event ? event.transcript : undefined;
      const agent = "by" in event && typeof event.by === "object" ? event.by.agent : (started.agents[role] ?? null);
      const common = { id: `${stage}-${turn}`, round: roundsDone(state) + 1, role, agent, at: event.at };
      const prompt = ("prompt" in event ? event.prompt : undefined) ?? null;
      const failed = failureOf(event);
      if (hash !== undefined) kept.push({ ...common, failed, hash, prompt });
    }
    state = advance(policy, state, event);
  }
  return { kept, turns };
}

function failureOf(event: LoopEvent): string | null {
  if (event.type === "broke") return event.reason;
  return event.type === "reviewed" && event.report.status === "inconclusive" ? event.report.reason : null;
}

/** The run that is under way, as far as the log knows. */
function runningNow(
  { started, state }: LoopHistory,
  turns: ReadonlyMap<string, number>,
): Omit<ApiTranscript, "bytes" | "state" | "failed" | "promptBytes"> | null {
  const role = ROLES[state.stage];
  if (role === undefined) return null;
  const id = `${state.stage}-${(turns.get(state.stage) ?? 0) + 1}`;
  return { id, round: roundsDone(state) + 1, role, agent: started.agents[role] ?? null, at: state.lastAt };
}

function openRunning(repo: GitFolder, { row }: LoopHistory, id: string): OpenRecord | null {
  const [role = "", turn = ""] = id.split("-");
  const path = runningTranscript(repo, { loop: row.loop, role, turn: Number(turn) });
  let fd: number;
  try {
    // What an agent may have put there in its place is not followed.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  const { size } = fstatSync(fd);
  return {
    state: "running",
    hash: null,
    size,
    read(offset, length) {
      const part = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      return part.subarray(0, readSync(fd, part, 0, part.length, offset));
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}

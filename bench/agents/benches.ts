import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { median } from "../median.ts";
import { startPart } from "../parts.ts";
import type { Bench } from "../table.ts";

const SMALL_MB = 5;
const LARGE_MB = 50;

/** What driving a real agent costs beside the agent itself. */
export function agentBenches(dir: string, quick: boolean): Record<string, () => Bench> {
  const folder = (name: string) => {
    mkdirSync(join(dir, name), { recursive: true });
    return join(dir, name);
  };
  return {
    "a run of claude": () => wholeRun("claude", folder("claude"), quick ? 5 : 15),
    "a run of codex": () => wholeRun("codex", folder("codex"), quick ? 5 : 15),
    "a long transcript": () => longTranscript(folder("transcript")),
  };
}

function wholeRun(agent: "claude" | "codex", dir: string, runs: number): Bench {
  const { ours, bare } = startPart("agent-run", dir, agent, runs);
  return {
    title: `A review by the real ${agent}, its model on loopback, from start to answer`,
    measures: [
      {
        ...{ measure: "time through the adapter", ours: median(ours), unit: "ms", limit: 1.1 },
        baseline: { name: "the same program spawned bare", value: median(bare) },
      },
      {
        ...{ measure: "the fastest", ours: Math.min(...ours), unit: "ms" },
        baseline: { name: "the fastest", value: Math.min(...bare) },
      },
    ],
    note: `The median of ${runs} runs each, in turn, with the same arguments, environment and input.`,
  };
}

function longTranscript(dir: string): Bench {
  const [small, large] = [SMALL_MB, LARGE_MB].map((size) => startPart("agent-transcript", dir, size));
  if (small === undefined || large === undefined) throw new Error("there is nothing to compare");
  return {
    title: `Reading ${LARGE_MB} MB of claude's stream-json, ${large.events} events, from a program that only prints`,
    measures: [
      {
        ...{ measure: "memory at the most", ours: large.peakMb, unit: "MB", limit: 1.5 },
        baseline: { name: `with ${SMALL_MB} MB`, value: small.peakMb },
      },
      { measure: "time", ours: large.ms, unit: "ms" },
    ],
  };
}

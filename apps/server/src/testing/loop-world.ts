import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { approval } from "./answers.ts";
import { listen, serverWorld, type World } from "./server-world.ts";

export interface LoopWorld extends World {
  project: string;
  root: string;
  /** Writes what the agents of a feature will do. */
  script(feature: string, steps: readonly object[]): void;
  /** Starts a feature and waits until its loop is in one of these stages. */
  run(feature: string, until: readonly string[]): Promise<void>;
  /** Waits until a feature's loop has come to a stage. */
  reached(feature: string, stages: readonly string[]): Promise<void>;
  /** The address of something of a feature's first loop. */
  loop(feature: string, rest?: string): string;
  get<T = never>(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; body: T }>;
}

/** Far longer than any loop of these tests takes. */
const PATIENCE_MS = 100_000;

/** A server with one project whose features do what a test says. */
export async function loopWorld(features: number, options: { pages?: string } = {}): Promise<LoopWorld> {
  const world = await serverWorld({ features, ...options });
  const [project = ""] = world.ids;
  const [root = ""] = world.roots;
  const stateOf = async (feature: string) =>
    (await world.call("GET", `/api/projects/${project}/loops/${feature}~1`)).body as { stage?: string };
  const reached = async (feature: string, stages: readonly string[]) => {
    const stream = await listen(world, { project, since: "0" });
    const enough = AbortSignal.timeout(PATIENCE_MS);
    const late = new Promise<void>((resolve) => enough.addEventListener("abort", () => resolve()));
    try {
      for (;;) {
        const seen = stream.frames.length;
        const state = await stateOf(feature);
        if (stages.includes(state.stage ?? "")) return;
        // Else a test that waits for what never comes says nothing but that it took too long.
        if (enough.aborted)
          throw new Error(`${feature} never came to ${stages.join(" or ")}: ${JSON.stringify(state)}`);
        await Promise.race([late, stream.until((frames) => frames.length > seen)]);
      }
    } finally {
      stream.close();
    }
  };
  return Object.assign(world, {
    project,
    root,
    reached,
    script(feature: string, steps: readonly object[]) {
      const file = join(root, `.automaker/scripts/${feature}.json`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ steps }));
    },
    async run(feature: string, until: readonly string[]) {
      const started = await world.call("POST", `/api/projects/${project}/items/${feature}/start`);
      if (started.status >= 300)
        throw new Error(`${feature} did not start: ${started.status} ${JSON.stringify(started.body)}`);
      await reached(feature, until);
    },
    loop: (feature: string, rest = "") => `/api/projects/${project}/loops/${feature}~1${rest}`,
    get: <T>(path: string, headers: Record<string, string> = {}) =>
      world.call("GET", path, undefined, headers) as Promise<{ status: number; headers: Headers; body: T }>,
  });
}

export const build = (file: string, content: string) => ({
  role: "implementer",
  edits: [{ path: file, content }],
  answer: "Built it.",
  usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.01 },
});

export const fix = (file: string, content: string) => ({
  role: "fixer",
  edits: [{ path: file, content }],
  answer: `Changed ${file}.`,
  usage: { inputTokens: 20, outputTokens: 5, costUsd: 0.02 },
});

/** A review of the gate that finds these in a file. */
export const rejects = (file: string, ...titles: string[]) => ({
  role: "reviewer",
  answer: `**[REJECTED]**\n\n### Issues Found\n${(titles.length === 0 ? ["Empty input is let in"] : titles)
    .map(
      (title) =>
        `- **[CODE]** - error: ${title}\n  - Description: It must not be.\n  - File: ${file}\n  - Line: 1\n  - Suggestion: Check its length.\n`,
    )
    .join("")}\n### Summary\nNot yet.\n\nEND OF REVIEW\n`,
  usage: { inputTokens: 100, outputTokens: 50, costUsd: 0.1 },
});

export const approves = {
  role: "reviewer",
  answer: approval,
  usage: { inputTokens: 100, outputTokens: 50, costUsd: 0.1 },
};

/** A reviewer that says something and never comes to an end. */
export const hangs = { role: "reviewer", answer: "Reading a.txt now.", end: "hang" };

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { median } from "../median.ts";
import { startPart } from "../parts.ts";
import type { Bench } from "../table.ts";

const FILES = 30_000;
const WORKSPACES = 100;
const MB = 1_000_000;

/** What private workspaces cost. */
export function workspaceBenches(dir: string, quick: boolean): Record<string, () => Bench> {
  return {
    "a workspace": () => making(join(dir, "making"), quick ? 2 : 5),
    "garbage collection": () => collecting(join(dir, "collecting")),
  };
}

function making(dir: string, count: number): Bench {
  mkdirSync(dir);
  const { ours, bare } = startPart("workspace", dir, FILES, count);
  rmSync(dir, { recursive: true });
  const of = (list: typeof ours, what: "ms" | "bytes", per = 1) => median(list.map((one) => one[what])) / per;
  return {
    title: `A workspace of a repository of ${FILES} files, made ready`,
    measures: [
      {
        measure: "time",
        ours: of(ours, "ms"),
        baseline: { name: "git worktree add", value: of(bare, "ms") },
        unit: "ms",
        limit: 1.5,
      },
      {
        measure: "disk",
        ours: of(ours, "bytes", MB),
        baseline: { name: "git worktree add", value: of(bare, "bytes", MB) },
        unit: "MB",
        limit: 1.5,
      },
    ],
  };
}

function collecting(dir: string): Bench {
  mkdirSync(dir);
  const { oursMs, bareMs } = startPart("workspace-gc", dir, WORKSPACES);
  rmSync(dir, { recursive: true });
  return {
    title: `anneal gc of ${WORKSPACES} workspaces`,
    measures: [{ measure: "time", ours: oursMs, baseline: { name: "rm -rf", value: bareMs }, unit: "ms", limit: 3 }],
  };
}

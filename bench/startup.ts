import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tenFiles, tenFilesWithAddress } from "./changes.ts";
import { cpuOf, type Program } from "./cpu.ts";
import { makeRepository } from "./scratch.ts";
import type { Measure } from "./table.ts";

const node = process.execPath;
export const anneal = join(import.meta.dirname, "../apps/cli/bin/anneal.js");

/** What it costs to start: the version, and the review of a small change, against a Node that does nothing. */
export function startUp(dir: string, runs: number): Measure[] {
  const small = makeRepository(join(dir, "small"), tenFiles());
  const scanned = makeRepository(join(dir, "scanned"), tenFilesWithAddress());
  const version = cli(dir, ["--version"]);
  // The fixtures hold flaws, so the verdict is `fail`.
  const review: Program = { ...cli(dir, ["review", "--format", "json"]), cwd: small, exits: [1] };
  const spent = cpuOf(
    {
      bare: { argv: [node, "-e", "0"] },
      version,
      review,
      scanned: { ...review, cwd: scanned },
      coldVersion: cold(dir, version),
      coldReview: cold(dir, review),
    },
    runs,
  );
  const against = { baseline: { name: "node -e 0", value: spent.bare }, unit: "ms" } as const;
  return [
    { measure: "anneal --version", ours: spent.version, ...against, limit: 2 },
    { measure: "anneal --version, cold compile cache", ours: spent.coldVersion, ...against },
    { measure: "anneal review, 10 files", ours: spent.review, ...against, limit: 6 },
    { measure: "anneal review, 10 files, secret scanner loaded", ours: spent.scanned, ...against },
    { measure: "anneal review, 10 files, cold compile cache", ours: spent.coldReview, ...against },
  ];
}

/** The compiled CLI. Its compile cache lies in the temp folder, so another temp folder is another cache. */
export function cli(dir: string, args: string[]): Program {
  const temp = join(dir, "warm");
  mkdirSync(temp, { recursive: true });
  return { argv: [node, anneal, ...args], env: { TMPDIR: temp } };
}

function cold(dir: string, program: Program): Program {
  const temp = join(dir, "cold");
  return {
    ...program,
    env: { TMPDIR: temp },
    prepare: () => {
      rmSync(temp, { recursive: true, force: true });
      mkdirSync(temp);
    },
  };
}

// Runs as a process of its own on the compiled packages: `node phases.ts REPO BASE HEAD` prints the CPU of each phase.
import { builtinReviewer } from "@anneal/adapters/builtin/reviewer";
import { track } from "@anneal/core";
import { openRepo } from "@anneal/git";
import type { ChangedFile } from "@anneal/types";
import { childrenCpuMs } from "./cpu.ts";

/** CPU in ms of reading a change, judging it, and naming what was found. */
export interface Phases {
  parse: number;
  rules: number;
  fingerprint: number;
  files: number;
  findings: number;
}

const [dir = "", base = "", head = ""] = process.argv.slice(2);
const repo = await openRepo(dir);
const bounds = { base, head, headKind: "commit" } as const;

const files: ChangedFile[] = [];
const parse = await cpu(async () => {
  for await (const file of repo.changedFiles(bounds)) files.push(file);
});

const blobs = repo.blobs();
const change = {
  bounds,
  async *files() {
    yield* files;
  },
  content: (blob: string) => blobs.read(blob),
};
let answer: Awaited<ReturnType<typeof builtinReviewer.review>> | undefined;
const rules = await cpu(async () => {
  answer = await builtinReviewer.review(change, new AbortController().signal);
});
blobs.close();
if (answer?.report.status !== "complete") throw new Error("the review is not complete");

const { report } = answer;
const regions = files.map(({ path, hunks }) => ({
  file: path,
  ranges: hunks.map(({ newStart, newLines }): [number, number] => [newStart, newStart + newLines]),
}));
const seen = { report, regions, head, round: 1, standing: [], renames: {}, lastFix: undefined };
const fingerprint = await cpu(async () => track([], seen));

const phases: Phases = { parse, rules, fingerprint, files: files.length, findings: report.findings.length };
process.stdout.write(JSON.stringify(phases));

/** Own CPU and that of the git processes that ended meanwhile. */
async function cpu(work: () => Promise<unknown>): Promise<number> {
  const children = childrenCpuMs();
  const own = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(own);
  return (user + system) / 1_000 + childrenCpuMs() - children;
}

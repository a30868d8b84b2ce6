import { relative } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "@anneal/engine";
import { type Collected, collectGarbage, projectAt } from "@anneal/engine/project";
import { counted, json } from "../project/output.ts";
import { harmlessLine } from "../style.ts";

const help = `anneal gc: free what no loop needs any more

  anneal gc              removes the worktrees of ended loops and unused diffs and transcripts
  anneal gc --dry-run    says what it would remove
  anneal gc --json       as data

Branches and commits stay. A worktree with uncommitted changes stays, and so does one with commits that no branch has,
or one that git cannot read. Worktrees of your own are left alone, also where git cannot find them just now.
Only while no process runs the loops.
Exit code: 0 done, 1 another process runs the project.
`;

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { "dry-run": { type: "boolean", default: false }, json: { type: "boolean", default: false } },
  });
  const dryRun = values["dry-run"];
  const repo = await projectAt(process.cwd());
  const collected = await collectGarbage(repo, { clock: systemClock, dryRun });
  if (collected === null) {
    process.stderr.write("anneal gc: another process runs this project; try again when it has ended\n");
    return 1;
  }
  process.stdout.write(values.json ? json(collected) : text(collected, repo.root, dryRun));
  return 0;
}

function text({ worktrees, kept, blobs }: Collected, root: string, dryRun: boolean): string {
  const place = (path: string) => harmlessLine(relative(root, path));
  const verb = dryRun ? "would remove" : "removed";
  const lines = [
    ...worktrees.map(({ path }) => `${verb} ${place(path)}`),
    ...(blobs.removed === 0 ? [] : [`${verb} ${counted(blobs.removed, "blob")} (${size(blobs.bytes)})`]),
    ...kept.map(({ path, because }) => `kept ${place(path)}: ${because}`),
  ];
  return `${lines.length === 0 ? "Nothing to free." : lines.join("\n")}\n`;
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const command = { help, run };

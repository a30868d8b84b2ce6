import { parseArgs } from "node:util";
import { systemClock } from "@anneal/engine";
import { type Collected, collectGarbage, projectAt } from "@anneal/engine/project";
import { counted, json } from "../project/output.ts";
import { harmlessLine } from "../style.ts";

const help = `anneal gc: remove workspaces, diffs and transcripts that no loop needs any more

  anneal gc              remove the workspaces of ended loops, and unused diffs and transcripts
  anneal gc --dry-run    show what would be removed
  anneal gc --json       as data

Your branches and commits stay. A workspace stays if it has uncommitted changes or commits that your
repository does not have, or if git cannot read it.
It does nothing while a process runs the loops.
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
    process.stderr.write("anneal gc: another process runs this project; try again when it has stopped\n");
    return 1;
  }
  process.stdout.write(values.json ? json(collected) : text(collected, dryRun));
  return 0;
}

function text({ workspaces, kept, blobs }: Collected, dryRun: boolean): string {
  const verb = dryRun ? "would remove" : "removed";
  const lines = [
    ...workspaces.map(({ path }) => `${verb} ${harmlessLine(path)}`),
    ...(blobs.removed === 0 ? [] : [`${verb} ${counted(blobs.removed, "blob")} (${size(blobs.bytes)})`]),
    ...kept.map(({ path, because }) => `kept ${harmlessLine(path)}: ${because}`),
  ];
  return `${lines.length === 0 ? "Nothing to remove." : lines.join("\n")}\n`;
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const command = { help, run };

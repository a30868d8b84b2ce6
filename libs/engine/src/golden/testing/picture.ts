import { featureStatus } from "@anneal/core";
import type { LoopNotification } from "../../project.ts";
import type { SampleProject } from "./sample-project.ts";

/** Everything that a feature's loop leaves behind, as one readable text. */
export async function pictureOf(project: SampleProject, id: string, prompts: readonly string[] = []): Promise<string> {
  const notifications = await project.notifications();
  return sections([
    ["Status", statuses(notifications)],
    [
      "Events",
      notifications.flatMap(({ seed }) => seed).map(({ type, payload }) => `${type}\n  ${JSON.stringify(payload)}`),
    ],
    ["Commits", commits(project, id)],
    ["Files", files(project, id)],
    ...prompts.map((prompt, at): Section => [`What the fixer was told, ${at + 1} of ${prompts.length}`, [prompt]]),
  ]);
}

export type Section = [heading: string, lines: string[]];

export function sections(all: Section[]): string {
  return all.map(([heading, lines]) => `${bar("=", heading)}\n${lines.join("\n").trimEnd()}\n`).join("\n");
}

export function bar(sign: string, heading: string): string {
  return `${sign.repeat(4)} ${heading} `.padEnd(100, sign);
}

/** The columns that the feature goes through, each with the first event that puts it there. */
function statuses(notifications: readonly LoopNotification[]): string[] {
  const lines = ["backlog"];
  let last = "backlog";
  for (const { event, state } of notifications) {
    const status = featureStatus(state);
    if (status !== last) lines.push(`${status.padEnd(18)} after ${event.type} at ${iso(event.at)}`);
    last = status;
  }
  const end = notifications.at(-1)?.state;
  if (end?.stage === "waiting-for-human") lines.push(`waits for a person: ${end.reason}: ${end.detail}`);
  if (end?.stage === "ended") lines.push(`ended: ${end.outcome}: ${end.detail}`);
  return lines;
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function commits({ repo }: SampleProject, id: string): string[] {
  const range = ["--reverse", "--topo-order", `feature/${id}`, "--not", "main"];
  const hashes = repo
    .git("rev-list", ...range)
    .split("\n")
    .filter(Boolean);
  const shown = hashes.map((hash) => {
    const message = repo.git("show", "--no-patch", "--format=%an <%ae> %aI%n%cn <%ce> %cI%n%n%B", hash);
    const tree = repo.git("ls-tree", "-r", "--abbrev=12", hash).replaceAll("\t", " ");
    return `${bar("-", hash)}\n${message.trimEnd()}\n\n${tree}\n`;
  });
  return [`feature/${id}: ${hashes.length} since main`, ...shown];
}

function files(project: SampleProject, id: string): string[] {
  return Object.entries(project.files(id)).map(([name, text]) => `${bar("-", name)}\n${text}`);
}

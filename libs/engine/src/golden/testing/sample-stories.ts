import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { escalation, storyStatus } from "@anneal/core/stories";
import { signOff } from "../../../../core/src/read/testing/sign-off.ts";
import type { Files } from "../../../../git/src/testing/make-repo.ts";
import { namedStories, rememberStories } from "../../kinds/story/known.ts";
import type { AutoResult } from "../../project.ts";
import { iso, type Section, sections } from "./picture.ts";
import { type RunOptions, type SampleOptions, type SampleProject, sampleProject } from "./sample-project.ts";

export const ID = "2.1-D4";
export const KEY = `story:${ID}`;
export const BRANCH = "story-2-1-d4-lend-books-to-readers";
export const FILE = "docs/stories/2.1-D4.md";
export const DOCUMENT = (round: number) => `docs/progress/story-${ID}-review-findings-round-${round}.md`;

export const storyText = (id: string, title: string, front = "") => `---
id: ${id}
${front}status: pending   # by hand
---

# Story ${id}: ${title}

As a reader I take books home.

## Acceptance Criteria

1. A reader has three books at most.
2. A book that is lent is not lent again.

## Tasks

- [ ] Lend a book
`;

const loans = (body: string) => ({ path: "src/loans.js", content: `export const lend = (reader, book) => ${body};\n` });

export const implement = {
  role: "implementer",
  answer: "Books can be lent.\n",
  edits: [loans("reader.books.push(book)")],
  usage: { inputTokens: 900, outputTokens: 100, costUsd: 0.25 },
};
export const fix = {
  role: "fixer",
  answer: "Three books at most.\n",
  edits: [loans("reader.books.length < 3 && reader.books.push(book)")],
};
export const fixElsewhere = (word: string) => ({
  role: "fixer",
  answer: `Wrote down what ${word} means.\n`,
  edits: [{ path: "docs/lending.md", content: `# Lending\n\nAbout ${word}.\n` }],
});
export const babble = { role: "reviewer", answer: "I had a look and it seems mostly fine to me!\n" };

const issue = (
  number: number,
  category: string,
  title: string,
  problem: string,
) => `${number}. **[${category}]:** ${title}
   - **File:** src/loans.js:1
   - **Problem:** ${problem}
   - **Impact:** Somebody waits for a book in vain.
   - **Fix:** Check it first.`;

/** An answer with as many findings of each class as named, in the words of the round. */
export function findings(round: number, [critical, important, minor]: [number, number, number], about = "loans") {
  let number = 0;
  const some = (count: number, category: string, word: string) =>
    Array.from({ length: count }, (_, at) => {
      number += 1;
      return issue(
        number,
        category,
        `${word} ${at + 1} of round ${round}: ${about}`,
        `ROUND-${round}-${word} happens.`,
      );
    }).join("\n\n") || "None identified.";
  const total = critical + important + minor;
  const answer = `# Story ${ID} Code Review Findings - Round ${round}

**Reviewer:** Agent (Fresh Context)
**Date:** 2026-01-09 14:22
**Branch:** ${BRANCH}

## Critical Issues (Must Fix)

${some(critical, "Security", "Critical")}

## Important Issues (Should Fix)

${some(important, "Logic", "Important")}

## Minor Issues (Nice to Have)

${some(minor, "Style", "Minor")}

## Summary

- **Total findings:** ${total}
- **Critical:** ${critical}
- **Important:** ${important}
- **Minor:** ${minor}
- **Recommendation:** ${critical + important > 0 ? "Fix them." : "Ready to merge."}
${critical + important > 0 ? "" : `\n${signOff()}`}
END OF REVIEW
`;
  return { role: "reviewer", answer, usage: { inputTokens: 2000, outputTokens: 100, costUsd: 0.5 } };
}

export interface StoriesProject extends SampleProject {
  /** `anneal story run FILE…`. */
  runStories(files?: string[], limit?: number, options?: RunOptions): Promise<AutoResult>;
  status(file?: string): string;
  setStatus(status: string, file?: string): void;
}

const FILES: Files = { "src/readers.js": "export const readers = [];\n" };

/** A project with stories, all played by scripts. */
export async function storiesProject(
  steps: Record<string, object[]>,
  { files = {}, ...options }: SampleOptions = {},
): Promise<StoriesProject> {
  const story = { [FILE]: storyText(ID, "Lend books to readers") };
  const project = await sampleProject({ files: { ...FILES, ...story, ...files }, ...options });
  for (const [id, played] of Object.entries(steps)) project.plan(id, { steps: played });
  const text = (file: string) => readFileSync(join(project.root, file), "utf8");
  return {
    ...project,
    async runStories(named = [FILE], limit = 1, more = {}) {
      const { stories, needed, problems } = await namedStories(project.root, named);
      if (problems.length > 0) throw new Error(JSON.stringify(problems));
      await project.read(({ repo }) => rememberStories(repo, [...stories, ...needed]));
      return await project.run(
        stories.map(({ story }) => `story:${story.id}`),
        { limit, ...more },
      );
    },
    status: (file = FILE) => /^status: ([\w-]+)/m.exec(text(file))?.[1] ?? "none",
    setStatus: (status, file = FILE) =>
      writeFileSync(join(project.root, file), text(file).replace(/^status: [\w-]+/m, `status: ${status}`)),
  };
}

/** Everything that a story's loop leaves behind, as one readable text. */
export async function storyPicture(project: SampleProject, prompts: readonly string[] = []): Promise<string> {
  const { repo, root } = project;
  const notifications = (await project.notifications()).filter(({ item }) => item === KEY);
  const end = notifications.at(-1)?.state;
  const statuses = notifications.flatMap(({ event, state }, at) => {
    const before = notifications[at - 1]?.state;
    const now = storyStatus(state);
    if (before !== undefined && storyStatus(before) === now) return [];
    return [`${now.padEnd(12)} after ${event.type} at ${iso(event.at)}`];
  });
  if (end?.stage === "ended") statuses.push(`ended: ${end.outcome}: ${end.detail}`);
  if (end?.stage === "waiting-for-human") statuses.push(`waits for a person: ${end.reason}: ${end.detail}`);
  const asked = end === undefined ? null : escalation({ id: ID }, end);
  const waiting = join(root, ".automaker/stories", ID);
  const documents = readdirSync(waiting).sort();
  return sections([
    ["Status", statuses],
    ...(asked === null ? [] : [["Question", [asked.text, "", `It waits at ${asked.waitsAt}`]] satisfies Section]),
    ["Commits", commits(project)],
    ["Refs", [repo.git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes")]],
    ["Work tree", [repo.git("status", "--porcelain")]],
    [FILE, [readFileSync(join(root, FILE), "utf8")]],
    ...documents.map(
      (name): Section => [`.automaker/stories/${ID}/${name}`, [readFileSync(join(waiting, name), "utf8")]],
    ),
    ...prompts.map((prompt, at): Section => [`What the fixer was told, ${at + 1} of ${prompts.length}`, [prompt]]),
  ]);
}

function commits({ repo }: SampleProject): string[] {
  const hashes = repo.git("rev-list", "--reverse", "--topo-order", BRANCH, "--not", "main").split("\n").filter(Boolean);
  const shown = hashes.map((hash) => {
    const message = repo.git("show", "--no-patch", "--format=%an <%ae> %aI%n%n%B", hash);
    const files = repo.git("diff-tree", "-r", "--no-commit-id", "--name-status", hash).replaceAll("\t", " ");
    return `---- ${hash}\n${message.trimEnd()}\n\n${files}\n`;
  });
  return [`${BRANCH}: ${hashes.length} since main`, ...shown];
}

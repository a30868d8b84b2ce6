import { UsageError } from "@anneal/engine";
import { playersHelp } from "../run/players-help.ts";
import { runStories } from "./run.ts";
import { showStories } from "./status.ts";

const help = `anneal story: stories, with a fresh reviewer every round

  anneal story run FILE…             build stories from their markdown files, then review and fix them until they are clean
  anneal story run FILE… --dry-run   show what would start, in which order; starts nothing
  anneal story status [FILE…]        the state of stories (default: all)

  --base BRANCH                      the branch to compare with (default: the default branch of origin)
  --policy NAME                      another policy than adversarial
  --agent NAME                       the agent for every role
  --implementer NAME  --reviewer NAME  --fixer NAME
                                     the agent for one role ({id} in a name stands for the story's id; default: "agents" in the settings)
  --concurrency N                    stories at the same time (default: maxConcurrency in the settings, or 3)
  --json                             one line of JSON per event while running; data with --dry-run and status

${playersHelp()}

A story begins with "# Story 2.1: Title". With \`status: review\` in its front matter its branch is reviewed as it stands;
otherwise it is built first. A story that depends on others starts when those are done, on top of their work.
After three rounds with findings you are asked: (a) you take over, (b) you accept them, (c) one more round, five in all. Away
from a terminal the story waits for anneal take-over | accept | one-more story:ID. Until then the findings are in
.automaker/stories/ID/; once the story is clean or accepted they are committed to docs/progress/. Nothing is pushed before.

Exit code: 0 every story is done, 1 something failed or needs a person, 2 usage, 130 stopped.
`;

async function run([verb, ...args]: string[]): Promise<number> {
  if (verb === "run") return await runStories(args);
  if (verb === "status") return await showStories(args);
  throw new UsageError(
    verb === undefined
      ? "a subcommand is required: anneal story run FILE…, or anneal story status"
      : `unknown command anneal story ${verb}; known: run, status`,
  );
}

export const command = { help, run };

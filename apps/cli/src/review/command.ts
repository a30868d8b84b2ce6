import { parseArgs } from "node:util";
import {
  boundsOf,
  type LabelledBounds,
  openRepo,
  policyNamed,
  REVIEWERS,
  type Repo,
  type ReviewerContext,
  review,
  reviewerNamed,
  type Selection,
  systemClock,
  UsageError,
} from "@anneal/engine";
import type { ReviewOutput } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { interruptible } from "../interruptible.ts";
import { harmlessLine, painter } from "../style.ts";
import { warnUnboxed } from "../unboxed.ts";
import { writeResult } from "./write-result.ts";

const FORMATS = ["pretty", "json", "markdown"] as const;
type Format = (typeof FORMATS)[number];

const EXIT = { pass: 0, fail: 1, inconclusive: 3 } as const;

const help = `anneal review: review a change

  anneal review                          the current branch against the default branch
  anneal review --base main --head topic any two commits (the diff is base...head)
  anneal review --staged                 what is staged; the verdict holds for that tree only
  anneal review --worktree               everything in the working tree, including untracked files

  --base REF        where the change starts (default: the default branch; HEAD for --staged and --worktree)
  --head REF        the commit to review (default: HEAD)
  --policy NAME     gate, pull-request, scored, adversarial, advisory, or a .json file of your own
                    (default: adversarial)
  --reviewer NAME   the reviewer (default: builtin)
${Object.entries(REVIEWERS)
  .map(([name, { about }]) => `                      ${name.padEnd(9)} ${about}`)
  .join("\n")}
  --format FORMAT   pretty, json, markdown (default: pretty); --json is --format json
  --output FILE     write the result to FILE instead of standard output

The builtin reviewer checks hygiene, security and test integrity on the changed lines. It does not judge whether
the change does what was asked: that needs an agent or a person.

Exit code: 0 pass, 1 fail, 2 usage or configuration error, 3 inconclusive or nothing to review.
`;

/** The builtin reviewer asks the settings only for what may go unread: they take longer to load than it works. */
async function agentsFor(
  reviewer: string,
  repo: Repo,
  bounds: LabelledBounds["bounds"],
): Promise<Pick<ReviewerContext, "agents" | "model" | "waived">> {
  const terms = async () => {
    const { judgingTerms } = await import("@anneal/engine/agents");
    const { notes, ...found } = await judgingTerms(repo, { ...bounds, called: "change" });
    for (const note of notes) process.stderr.write(`anneal review: ${note}\n`);
    return found;
  };
  if (reviewer === "builtin") return { waived: async () => (await terms()).agents.waivedPaths ?? [] };
  const { startsPrograms } = await import("@anneal/engine/agents");
  if (startsPrograms(reviewer)) await warnUnboxed("review");
  const { agents, model } = await terms();
  return model === undefined ? { agents } : { agents, model };
}

async function run(args: string[]): Promise<number> {
  const options = read(args);
  const policy = await policyNamed(options.policy);
  const repo = await openRepo(process.cwd());
  const { bounds, baseLabel, headLabel } = await boundsOf(repo, options.selection);
  const workItem = {
    asks: "nothing" as const,
    title: headLabel,
    description: `The changes of ${headLabel} since ${baseLabel}.`,
  };
  const reviewer = await reviewerNamed(options.reviewer, {
    policy,
    repo,
    brief: { workItem, round: 1, earlierFindings: [] },
    ...(await agentsFor(options.reviewer, repo, bounds)),
  });
  const waiting = progress();
  const change = repo.change(bounds);
  try {
    waiting.show(`${reviewer.name} reviews ${headLabel} against ${baseLabel} under ${policy.name}`);
    const output = await interruptible((signal) =>
      review({ change, repo, policy, reviewer, clock: systemClock, signal, onProgress: waiting.show }),
    );
    waiting.clear();
    await emit(output, options);
    return EXIT[output.verdict];
  } finally {
    waiting.clear();
    change.close();
  }
}

interface Options {
  selection: Selection;
  policy: string;
  reviewer: string;
  format: Format;
  output: string | undefined;
}

function read(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      base: { type: "string" },
      head: { type: "string" },
      staged: { type: "boolean", default: false },
      worktree: { type: "boolean", default: false },
      policy: { type: "string", default: "adversarial" },
      reviewer: { type: "string", default: "builtin" },
      format: { type: "string" },
      json: { type: "boolean", default: false },
      output: { type: "string" },
    },
  });
  const wanted = values.format ?? (values.json ? "json" : "pretty");
  const format = FORMATS.find((name) => name === wanted);
  if (format === undefined) throw new UsageError(`unknown format "${values.format}"; known: ${FORMATS.join(", ")}`);
  if (values.json && format !== "json") throw new UsageError(`--json and --format ${format} cannot be used together`);
  if (values.staged && values.worktree) throw new UsageError("--staged and --worktree cannot be used together");
  const uncommitted = values.staged ? "staged" : values.worktree ? "worktree" : undefined;
  if (uncommitted !== undefined && values.head !== undefined) {
    throw new UsageError(`--head and --${uncommitted} cannot be used together`);
  }
  const { base, head } = values;
  const selection: Selection = {
    ...(base === undefined ? {} : { base }),
    ...(head === undefined ? {} : { head }),
    ...(uncommitted === undefined ? {} : { uncommitted }),
  };
  return { selection, policy: values.policy, reviewer: values.reviewer, format, output: values.output };
}

/** Progress is for a person who waits: one line that is written over, and gone before the result comes. */
function progress(): { show(message: string): void; clear(): void } {
  const { stderr } = process;
  const paint = painter(stderr);
  const rewrites = stderr.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  let shown = 0;
  const clear = () => {
    if (rewrites && shown > 0) stderr.write("\r\u001b[2K");
    shown = 0;
  };
  const show = (message: string) => {
    if (!stderr.isTTY || (!rewrites && shown > 0)) return;
    const line = `… ${harmlessLine(message)}`;
    clear();
    stderr.write(rewrites ? paint("dim", line.slice(0, (stderr.columns || 80) - 1)) : `${line}\n`);
    shown += 1;
  };
  return { show, clear };
}

async function emit(output: ReviewOutput, { format, output: file }: Options): Promise<void> {
  const text = await render(output, format, file === undefined);
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeResult(file, text);
  } catch (cause) {
    throw new UsageError(`cannot write ${JSON.stringify(file)}: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

// JSON itself lets these through, and a terminal that prints the result would obey them.
const UNSEEN = /[\u007f-\u009f\p{Bidi_Control}]/gu;

function escapedForJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

async function render(output: ReviewOutput, format: Format, toTerminal: boolean): Promise<string> {
  switch (format) {
    case "json":
      return `${JSON.stringify(output, null, 2).replace(UNSEEN, escapedForJson)}\n`;
    case "markdown":
      return (await import("./markdown.ts")).markdown(output);
    case "pretty":
      return (await import("./pretty.ts")).pretty(
        output,
        toTerminal ? painter(process.stdout) : (_, text) => text,
        process.stdout.columns || 100,
      );
  }
}

export const command = { help, run };

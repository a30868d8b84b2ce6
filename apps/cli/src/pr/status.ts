import { parseArgs } from "node:util";
import { isUnreviewed } from "@anneal/core";
import { sessionOf } from "@anneal/core/pull-request";
import { systemClock } from "@anneal/engine";
import {
  currentLoop,
  historyOf,
  itemNamed,
  loopStatus,
  openReader,
  type ProjectReader,
  statusOf,
} from "@anneal/engine/project";
import type { ReviewLoopSession } from "@anneal/types";
import { json, shortId } from "../project/output.ts";
import { because } from "../project/words.ts";
import { harmlessLine, painter } from "../style.ts";

interface Line {
  id: string;
  title: string;
  session: ReviewLoopSession | null;
  /** Whether it is one on the forge; what is merged is none any more. */
  draft: boolean;
  /** Nobody has reviewed what it holds. */
  notReviewed: boolean;
  maxIterations: number;
  /** Why it waits for a person, in words. */
  waits: string | null;
  legal: string[];
}

/** `anneal pr status [ID…]`. */
export async function showPullRequests(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  using project = await openReader(process.cwd(), systemClock);
  const names = await Promise.all(positionals.map(async (name) => (await itemNamed(project, name)).id));
  const lines = (await linesOf(project)).filter(({ id }) => names.length === 0 || names.includes(id));
  process.stdout.write(values.json ? json(lines) : text(lines));
  return 0;
}

/** Every item whose loop leads to a pull request. */
async function linesOf(project: ProjectReader): Promise<Line[]> {
  const { store } = project;
  if (store === null) return [];
  return (await statusOf(project)).flatMap(({ id, title }) => {
    const row = currentLoop(store, id);
    if (row === null) return [];
    const { state, policy } = historyOf(store, row);
    if (policy.push !== "with-pr" || policy.afterPr !== "await-feedback") return [];
    const { maxRounds, reason, detail, legal, pr } = loopStatus(row);
    const waits = reason === null ? null : because(reason, detail);
    const session = sessionOf(id, state);
    const draft = pr?.draft === true && state.stage !== "ended";
    const notReviewed = isUnreviewed({ pr });
    return [{ id, title, session, draft, notReviewed, maxIterations: maxRounds, waits, legal }];
  });
}

function text(lines: readonly Line[]): string {
  if (lines.length === 0) return "No feature has a pull request yet. Open one with anneal pr create ID.\n";
  const paint = painter(process.stdout);
  return lines
    .map(({ id, title, session, draft, notReviewed, maxIterations, waits, legal }) => {
      const name = process.stdout.isTTY ? shortId(id) : id;
      const at = session === null ? "being built" : session.state;
      const iteration = session === null ? "" : `  iteration ${session.currentIteration}/${maxIterations}`;
      const pull = session?.prNumber === undefined ? "" : `  #${session.prNumber} ${harmlessLine(session.prUrl ?? "")}`;
      const marked = notReviewed ? paint("yellow", `${draft ? "  a draft," : " "} NOT REVIEWED`) : "";
      const first = `${paint("bold", name)}  ${harmlessLine(title)}\n  ${at}${iteration}${pull}${marked}\n`;
      return waits === null ? first : `${first}  ↳ ${harmlessLine(waits)} → anneal ${legal.join(" | ")} ${name}\n`;
    })
    .join("");
}

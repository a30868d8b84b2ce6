import { parseArgs } from "node:util";
import { isAtRest, isUnreviewed } from "@anneal/core";
import { systemClock, UsageError } from "@anneal/engine";
import { itemNamed, loadSettings, openReader, statusOf } from "@anneal/engine/project";
import type { LoopState } from "@anneal/types";
import { json } from "../project/output.ts";
import { castOf, RUNNING, runHere } from "../run/running.ts";
import { harmlessLine } from "../style.ts";
import { forgeHere } from "./place.ts";

/** `anneal pr watch [ID…]`. */
export async function watch(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...RUNNING,
      once: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { root, forge, remote } = await forgeHere();
  const { open, merged } = await openPullRequests(root, positionals);
  if (open.length === 0) {
    const said = merged.map(({ id, number, notReviewed }) => {
      return `Pull request ${number} of ${id} is merged${notReviewed ? ", NOT REVIEWED" : ""}.\n`;
    });
    process.stdout.write(values.json ? json({ forge: forge.name, remote, merged }) : harmlessLines(said));
    return 0;
  }
  if (values["dry-run"]) {
    const said = open.map(({ id, number, url }) => `[DRY-RUN] Would watch pull request ${number} of ${id}: ${url}\n`);
    const plan = { forge: forge.name, remote, pullRequests: open };
    process.stdout.write(values.json ? json(plan) : harmlessLines(said));
    return 0;
  }
  const { settings } = await loadSettings(root);
  const result = await runHere({
    command: "pr",
    root,
    limit: settings.maxConcurrency,
    cast: castOf(values),
    only: open.map(({ id }) => id),
    stays: !values.once,
    json: values.json,
    trust: values.trust,
    hint: null,
  });
  const deaf = open.flatMap(({ id }) => {
    const reason = result.unheard.get(id);
    return reason === undefined ? [] : [{ type: "loop:unheard", item: id, payload: { reason } }];
  });
  // Elsewhere it was told when it happened.
  if (values.json) process.stdout.write(deaf.map((one) => json(one, 0)).join(""));
  const fine = open.every(({ id }) => isFine(result.settled.get(id)));
  return fine && deaf.length === 0 && result.broken.size === 0 ? 0 : 1;
}

interface Open {
  id: string;
  number: number;
  url: string;
  /** Nobody has reviewed what it holds. */
  notReviewed: boolean;
}

/** The pull requests of loops that have not ended, and those that are merged; of the named items each has to have one. */
async function openPullRequests(root: string, names: readonly string[]): Promise<{ open: Open[]; merged: Open[] }> {
  using project = await openReader(root, systemClock);
  const ids =
    names.length === 0 ? null : await Promise.all(names.map(async (name) => (await itemNamed(project, name)).id));
  const all = (await statusOf(project)).flatMap(({ id, loop }) => {
    if (loop === null || loop.pr === null || !(ids?.includes(id) ?? true)) return [];
    const { stage, outcome, pr } = loop;
    if (stage === "ended" && outcome !== "merged") return [];
    return [{ id, number: pr.number, url: pr.url, notReviewed: isUnreviewed(loop), isMerged: stage === "ended" }];
  });
  const missing = ids?.find((id) => !all.some((one) => one.id === id));
  if (missing !== undefined) {
    throw new UsageError(`${missing} has no open pull request: open one with anneal pr create ${missing}`);
  }
  if (all.length === 0) throw new UsageError("no pull request is open here: open one with anneal pr create ID");
  const of = (merged: boolean) => all.filter((one) => one.isMerged === merged).map(({ isMerged: _, ...one }) => one);
  return { open: of(false), merged: of(true) };
}

/** Merged, or nothing that would need a person here: those who review speak on the forge. */
function isFine(state: LoopState | undefined): boolean {
  if (state === undefined) return false;
  if (state.stage === "ended") return state.outcome === "merged";
  return state.stage === "waiting-for-human" ? state.reason === "ready-for-human" : isAtRest(state.stage);
}

function harmlessLines(lines: readonly string[]): string {
  return lines.map((line) => `${harmlessLine(line.trimEnd())}\n`).join("");
}

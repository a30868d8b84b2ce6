import { parseArgs } from "node:util";
import { POLICIES } from "@anneal/core";
import type { Exit, Policy } from "@anneal/types";
import { painter } from "../style.ts";

const help = `anneal policies: the ways to run a review loop

  anneal policies           the five as a table
  anneal policies --json    as data; a policy of your own has the same shape
`;

const ROWS: [label: string, cell: (policy: Policy) => string][] = [
  ["work item", (p) => p.workItem],
  [
    "reviews at most",
    (p) =>
      p.limits.hardReviews === undefined
        ? `${p.limits.reviews}`
        : `${p.limits.reviews}, by hand up to ${p.limits.hardReviews}`,
  ],
  ["fixes at most", (p) => `${p.limits.fixes}`],
  ["blocks at", (p) => `${p.pass.blocksAt}${p.pass.scorecard === undefined ? "" : " + scores"}`],
  ["earlier findings", (p) => p.pass.earlierFindings],
  ["rounds run out", (p) => exit(p.exits.roundsRunOut)],
  ["review breaks", (p) => `${p.limits.retries} retries, ${exit(p.exits.broke)}`],
  ["passing leads to", (p) => exit(p.exits.passed)],
  ["push", (p) => p.push],
];

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: "boolean", default: false } } });
  const policies: Policy[] = Object.values(POLICIES);
  process.stdout.write(values.json ? `${JSON.stringify(policies, null, 2)}\n` : table(policies));
  return 0;
}

function table(policies: Policy[]): string {
  const paint = painter(process.stdout);
  const columns = [ROWS.map(([label]) => label), ...policies.map((policy) => ROWS.map(([, cell]) => cell(policy)))];
  const heads = ["", ...policies.map((policy) => policy.name)];
  const widths = columns.map((cells, i) => Math.max(heads[i]?.length ?? 0, ...cells.map((text) => text.length)));
  const line = (cells: string[]) =>
    cells
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  const rows = ROWS.map((_, row) => line(columns.map((cells) => cells[row] ?? "")));
  return `${paint("bold", line(heads))}\n${rows.join("\n")}\n`;
}

function exit(way: Exit): string {
  switch (way.to) {
    case "ended":
      return way.outcome;
    case "waiting-for-human":
      return `asks: ${way.options.join("/")}`;
    case "opening-pr":
      return "opens the PR";
    case "merging":
      return "merges";
  }
}

export const command = { help, run };

import { parseArgs } from "node:util";
import { POLICIES } from "@anneal/core";
import type { Exit, Policy } from "@anneal/types";
import { folded, painter } from "../style.ts";

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
  ["rejection below the threshold", (p) => p.pass.mildRejection],
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

const COLUMN = 15;

function table(policies: Policy[]): string {
  const paint = painter(process.stdout);
  const line = (label: string, cells: string[]) =>
    [label.padEnd(17), ...cells.map((text) => text.padEnd(COLUMN))].join(" ").trimEnd();
  const rows = ROWS.flatMap(([label, cell]) => {
    const columns = policies.map((policy) => folded(cell(policy), COLUMN));
    const height = Math.max(...columns.map((lines) => lines.length));
    return Array.from({ length: height }, (_, n) =>
      line(
        n === 0 ? label : "",
        columns.map((lines) => lines[n] ?? ""),
      ),
    );
  });
  return `${paint(
    "bold",
    line(
      "",
      policies.map(({ name }) => name),
    ),
  )}\n${rows.join("\n")}\n`;
}

function exit(way: Exit): string {
  switch (way.to) {
    case "ended":
      return way.outcome;
    case "waiting-for-human":
      return `asks: ${way.options.join(", ")}`;
    case "opening-pr":
      return "opens the PR";
    case "merging":
      return "merges";
  }
}

export const command = { help, run };

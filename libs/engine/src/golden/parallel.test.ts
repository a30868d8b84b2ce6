import { expect, test } from "vitest";
import { historyOf, type LoopNotification } from "../project.ts";
import { decisionText } from "../review/testing/decision-text.ts";
import { type Plan, type SampleProject, sampleProject } from "./testing/sample-project.ts";
import { stoppedClock } from "./testing/ticking-clock.ts";

const code = (id: string, body: string) => [{ path: `src/${id}.js`, content: `export const ${id} = () => ${body};\n` }];
const review = (...said: Parameters<typeof decisionText>) => ({ role: "reviewer", answer: decisionText(...said) });
const issue = (id: string, category: string, severity: string, title: string) =>
  `- **[${category}]** - ${severity}: ${title}\n  - Description: seen by reading\n  - File: src/${id}.js\n  - Line: 1`;
const implement = (id: string, body: string) => ({
  role: "implementer",
  answer: `Built ${id}.`,
  edits: code(id, body),
});
const fix = (id: string, body: string) => ({ role: "fixer", answer: `Mended ${id}.`, edits: code(id, body) });
const approved = review("APPROVED", "None");

const passes = (id: string): Plan => ({ steps: [implement(id, "1"), approved] });
const remarked = (id: string): Plan => ({
  steps: [implement(id, "1"), review("APPROVED", issue(id, "PERFORMANCE", "warning", "Slow for large input"))],
});
const mended = (id: string): Plan => ({
  steps: [
    implement(id, "null"),
    review("REJECTED", `${issue(id, "CODE", "error", "Gives null")}\n${issue(id, "TEST", "info", "No test names it")}`),
    fix(id, "2"),
    approved,
  ],
});
const runsOut = (id: string): Plan => ({
  steps: [
    implement(id, "null"),
    review("REJECTED", issue(id, "CODE", "error", "Gives null")),
    ...[1, 2].flatMap((n) => [
      { role: "fixer", answer: "Documented.", edits: [{ path: `docs/${id}.md`, content: `Gives null: ${n}.\n` }] },
      review("REJECTED", issue(id, "CODE", "error", "Gives null")),
    ]),
  ],
});

/** Eight features: `top` opens a diamond that `bottom` closes, and `last` needs it and a chain of its own. */
const FEATURES: Record<string, { after: string[]; plan: (id: string) => Plan; more?: object }> = {
  top: { after: [], plan: mended },
  left: { after: ["top"], plan: passes },
  right: { after: ["top"], plan: remarked },
  bottom: { after: ["left", "right"], plan: mended },
  alone: { after: [], plan: runsOut, more: { priority: 1 } },
  chain: { after: [], plan: passes, more: { priority: 3 } },
  link: { after: ["chain"], plan: mended },
  last: { after: ["bottom", "link"], plan: passes },
};
const IDS = Object.keys(FEATURES).sort();

async function project(): Promise<SampleProject> {
  const made = await sampleProject({ clock: stoppedClock() });
  for (const [id, { after, plan, more }] of Object.entries(FEATURES)) {
    const feature = { id, title: `Add ${id}`, description: `Wants ${id}.`, status: "backlog", dependencies: after };
    made.repo.write({
      [`.automaker/features/${id}/feature.json`]: `${JSON.stringify({ ...feature, ...more }, null, 2)}\n`,
    });
    made.plan(id, plan(id));
  }
  return made;
}

/** Runs the whole backlog and tells how many features were at work at the same time, and in which order they ended. */
async function runAll({ run, troubles }: SampleProject, limit: number) {
  const open = new Set<string>();
  const order: { begun: string; done: string[] }[] = [];
  const done: string[] = [];
  let most = 0;
  const onEvent = ({ event, state, title }: LoopNotification) => {
    const id = title.replace("Add ", "");
    if (event.type === "loop-started") order.push({ begun: id, done: [...done] });
    if (state.stage === "ended") done.push(id);
    if (state.stage === "ended" || state.stage === "waiting-for-human") open.delete(id);
    else open.add(id);
    most = Math.max(most, open.size);
  };
  const { settled, broken, blocked } = await run(undefined, { limit, onEvent });
  expect({ broken: [...broken], blocked, troubles }).toEqual({ broken: [], blocked: [], troubles: [] });
  expect([...settled.keys()].sort()).toEqual(IDS);
  return { most, order };
}

/** Everything that features leave: with a stopped clock even commit ids and dates have to be the same. */
async function left({ repo, read, files }: SampleProject) {
  const ledgers = await read(({ store }) => {
    const rows = store?.loops() ?? [];
    return rows.flatMap((row) => (store === null ? [] : [{ item: row.item, ...historyOf(store, row).state }]));
  });
  return IDS.map((id) => ({
    id,
    commits: repo.git("log", "--format=%H %T %B", `feature/${id}`),
    tree: repo.git("ls-tree", "-r", `feature/${id}`),
    workspace: repo.git("-C", `${repo.dir}.anneal/${id}`, "status", "--porcelain"),
    files: JSON.parse(JSON.stringify(files(id)).replaceAll(repo.dir, "ROOT")),
    stage: ledgers.find(({ item }) => item === id)?.stage,
    findings: ledgers.find(({ item }) => item === id)?.findings,
  }));
}

test("eight features run three at a time leave the trees, statuses and findings of a run one after the other", {
  timeout: 240_000,
}, async () => {
  const [together, oneByOne] = [await project(), await project()];
  const parallel = await runAll(together, 3);
  const sequential = await runAll(oneByOne, 1);
  expect([parallel.most, sequential.most]).toEqual([3, 1]);
  for (const { begun, done } of [...parallel.order, ...sequential.order]) {
    for (const needed of FEATURES[begun]?.after ?? []) expect(done, `${begun} began`).toContain(needed);
  }
  const results = await left(together);
  expect(results).toEqual(await left(oneByOne));
  const seen = results.map(({ id, files, findings = [] }) => {
    const { status, codeReviewSpec } = JSON.parse(files["feature.json"] ?? "");
    const found = findings.map(({ finding, disposition }) => `${finding.title}: ${disposition.kind}`);
    return [id, status, codeReviewSpec.iterations.length, ...found];
  });
  expect(seen).toEqual([
    ["alone", "in_progress", 3, "Gives null: open"],
    ["bottom", "verified", 2, "Gives null: fixed", "No test names it: fixed"],
    ["chain", "verified", 1],
    ["last", "verified", 1],
    ["left", "verified", 1],
    ["link", "verified", 2, "Gives null: fixed", "No test names it: fixed"],
    ["right", "verified", 1, "Slow for large input: open"],
    ["top", "verified", 2, "Gives null: fixed", "No test names it: fixed"],
  ]);
});

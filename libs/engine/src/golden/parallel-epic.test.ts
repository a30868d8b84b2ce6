import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { namedStories, rememberStories } from "../kinds/story/known.ts";
import { historyOf, type LoopNotification } from "../project.ts";
import { decisionText } from "../review/testing/decision-text.ts";
import * as given from "./testing/sample-epics.ts";
import * as story from "./testing/sample-stories.ts";
import { stoppedClock } from "./testing/ticking-clock.ts";

const passes = (id: string) => [given.build(id), given.pass];
const revised = (id: string) => [given.build(id), given.fail(id), given.revise(id, "null"), given.pass];
const runsOut = (id: string) => [
  given.build(id),
  given.fail(id),
  ...[1, 2].flatMap((n) => [given.revise(id, String(n)), given.fail(`${id} (${n})`)]),
];

/** Six tickets: `top` opens a diamond that `bottom` closes; `side` fails and is not needed; `last` needs the diamond. */
const TICKETS: given.SampleTickets = {
  top: {},
  left: { after: ["top"] },
  right: { after: ["top"] },
  bottom: { after: ["left", "right"] },
  side: { critical: false },
  last: { after: ["bottom"] },
};
const STEPS: Record<string, object[]> = {
  top: revised("top"),
  left: passes("left"),
  right: revised("right"),
  bottom: passes("bottom"),
  side: runsOut("side"),
  last: passes("last"),
};

const decided = (...said: Parameters<typeof decisionText>) => ({ role: "reviewer", answer: decisionText(...said) });
const issue = (id: string) =>
  `- **[CODE]** - error: ${id} gives null\n  - Description: seen\n  - File: src/${id}.js\n  - Line: 1`;
const feature = (id: string, sound: boolean) => {
  const edits = (body: string) => [given.code(id, body)];
  const first = { role: "implementer", answer: "Built.", edits: edits(sound ? "1" : "null") };
  const fixed = [decided("REJECTED", issue(id)), { role: "fixer", answer: "Mended.", edits: edits("2") }];
  return [first, ...(sound ? [] : fixed), decided("APPROVED", "None")];
};
const FEATURES: Record<string, boolean> = { f1: true, f2: false, f3: true, f4: false };
const STORIES = ["3.1", "3.2", "3.3"];

async function project(): Promise<given.EpicsProject> {
  const made = await given.epicsProject(TICKETS, STEPS, {
    clock: stoppedClock(),
    files: Object.fromEntries(STORIES.map((id) => [`docs/stories/${id}.md`, story.storyText(id, `Lend ${id}`)])),
  });
  for (const [id, sound] of Object.entries(FEATURES)) {
    const file = { id, title: `Add ${id}`, description: `Wants ${id}.`, status: "backlog" };
    made.repo.write({ [`.automaker/features/${id}/feature.json`]: `${JSON.stringify(file, null, 2)}\n` });
    made.plan(id, { steps: feature(id, sound) });
  }
  const named = await namedStories(
    made.root,
    STORIES.map((id) => `docs/stories/${id}.md`),
  );
  await made.read(({ repo }) => rememberStories(repo, named.stories));
  for (const id of STORIES) {
    const rounds = id === "3.2" ? [story.findings(1, [0, 1, 0]), story.fix] : [];
    made.plan(id, { steps: [story.implement, ...rounds, story.findings(rounds.length === 0 ? 1 : 2, [0, 0, 1])] });
  }
  return made;
}

const KEYS = [
  ...Object.keys(TICKETS).map((id) => `ticket:limits/${id}`),
  "epic:limits",
  ...Object.keys(FEATURES),
  ...STORIES.map((id) => `story:${id}`),
];

/** Runs everything at once; how many loops were at work at the same time. */
async function runAll(made: given.EpicsProject, limit: number): Promise<number> {
  const open = new Set<string>();
  let most = 0;
  const onEvent = ({ item, state }: LoopNotification) => {
    if (state.stage === "ended" || state.stage === "waiting-for-human") open.delete(item);
    else open.add(item);
    most = Math.max(most, open.size);
  };
  const { settled, broken, blocked } = await made.run(KEYS, { limit, onEvent });
  expect({ broken: [...broken], blocked, troubles: made.troubles }).toEqual({ broken: [], blocked: [], troubles: [] });
  expect([...settled.keys()].sort()).toEqual([...KEYS].sort());
  return most;
}

/** Everything that is left: with a stopped clock even commit ids and dates have to be the same. */
async function left({ repo, root, read }: given.EpicsProject) {
  const branches = repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n");
  const states = await read(({ store }) => {
    const rows = store?.loops() ?? [];
    return rows.map((row) => {
      const { stage, findings } = historyOf(store ?? never(), row).state;
      return { key: `${row.kind}:${row.item}`, stage, findings };
    });
  });
  return {
    commits: branches.map((branch) => [branch, repo.git("log", "--topo-order", "--format=%H %T %s", branch)]),
    states: states.sort((a, b) => (a.key < b.key ? -1 : 1)),
    files: [".epics", "docs/stories", ".automaker/features", ".automaker/stories"].flatMap((at) => filesIn(root, at)),
  };
}

function filesIn(root: string, folder: string): [string, string][] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort();
  const files = names.map((name) => join(folder, name)).filter((file) => statSync(join(root, file)).isFile());
  return files.map((file) => [file, readFileSync(join(root, file), "utf8").replaceAll(root, "ROOT")]);
}

function never(): never {
  throw new Error("there is a log");
}

test("an epic of six tickets, four features and three stories at once leave what a run one after the other leaves", {
  timeout: 240_000,
}, async () => {
  const [together, oneByOne] = [await project(), await project()];
  expect([await runAll(together, 3), await runAll(oneByOne, 1)]).toEqual([3, 1]);
  const result = await left(together);
  expect(result).toEqual(await left(oneByOne));
  const { status, tickets } = together.state();
  expect([status, ...Object.entries(tickets).map(([id, one]) => `${id} ${one.status} ${one.revision_count}`)]).toEqual([
    "completed",
    "top completed 1",
    "left completed 0",
    "right completed 1",
    "bottom completed 0",
    "side failed 2",
    "last completed 0",
  ]);
  const merges = together.repo.git("log", "--first-parent", "--reverse", "--format=%s", "epic/limits").split("\n");
  expect(merges.slice(1)).toEqual(
    ["top", "left", "right", "bottom", "last"].map((id) => `Merge ticket/${id} into epic/limits`),
  );
});

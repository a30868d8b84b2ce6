import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { signed } from "../../../../core/src/read/testing/sign-off.ts";
import * as epic from "../../golden/testing/sample-epics.ts";
import * as story from "../../golden/testing/sample-stories.ts";
import * as unit from "../../golden/testing/sample-units.ts";
import { approve, type Features, fixes, type Load, makeLoad, reject, writes } from "./load.ts";

const TICKETS: epic.SampleTickets = { top: {}, left: { after: ["top"] }, right: { after: ["top"] } };
const UNITS = ["hello", "welcome"];
const STORIES = ["3.1", "3.2"];
/** The feature whose pull request a person talks about. */
export const ASKED = "asked";

/** Everything that runs, by key. */
export const MIXED_KEYS = [
  ...Object.keys(TICKETS).map((id) => `ticket:${epic.EPIC}/${id}`),
  `epic:${epic.EPIC}`,
  ...STORIES.map((id) => `story:${id}`),
  ...UNITS.map((id) => `unit:${id}`),
  ...["quick", "fixed", ASKED],
];

const FEATURES: Features = {
  quick: { policy: "gate", steps: [writes("quick.js", "1\n"), approve] },
  fixed: {
    policy: "gate",
    steps: [writes("fixed.js", "weak\n"), reject("fixed.js"), fixes("fixed.js", "weak", "strong"), approve],
  },
  [ASKED]: {
    policy: "pull-request",
    // Whoever opens a pull request first gets the first number: only one at a time may.
    dependencies: STORIES.map((id) => `story:${id}`),
    steps: [
      writes("asked.js", "weak\n"),
      judged("needs_work"),
      fixes("asked.js", "weak", "strong"),
      judged("pass"),
      fixes("asked.js", "strong", "sound"),
      judged("pass"),
    ],
  },
};

const SCRIPTS: Record<string, object[]> = {
  [`${epic.EPIC}/top`]: epic.playedBy("top", [epic.build("top"), epic.pass]),
  [`${epic.EPIC}/left`]: epic.playedBy("left", [
    epic.build("left"),
    epic.fail("left"),
    epic.revise("left", "null"),
    epic.pass,
  ]),
  [`${epic.EPIC}/right`]: epic.playedBy("right", [epic.build("right"), epic.pass]),
  "3.1": [story.implement, story.findings(1, [0, 1, 0]), story.fix, story.findings(2, [0, 0, 1])],
  "3.2": [writes("docs/lending.md", "# Lending\n"), story.findings(1, [0, 0, 0])],
  hello: [unit.implement, unit.document, unit.issues, unit.fix, unit.clean],
  welcome: [writes("welcome.js", "1\n"), unit.clean],
};

/** A project in which an epic, stories, units, a pull request and features run at once; the branch `trunk` takes the units in. */
export function makeMixed(): Load {
  const load = makeLoad(FEATURES, { pullRequests: { pollMs: 1_000 } });
  rmSync(load.at("pipeline.json"));
  load.commit(
    {
      ...epic.epicFiles(TICKETS),
      ...Object.fromEntries(STORIES.map((id, at) => [storyFile(id), story.storyText(id, `Lend ${id}`, after(at))])),
      ...unit.unitFiles("hello", [
        ["Greet", unit.GREETS],
        ["Write it down", "test -s docs/greet.md"],
      ]),
      ...unit.unitFiles("welcome", [["Welcome", "test -s welcome.js"]], ["hello"]),
      ".choo.yaml": "parallelism: 1\n",
    },
    "the plans",
  );
  for (const [id, steps] of Object.entries(SCRIPTS)) {
    const path = load.at("scripts", `${id}.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ name: "scripted", model: "m-1", steps }));
  }
  for (const id of STORIES) {
    load.write({ [`.automaker/stories/${id}/story.json`]: JSON.stringify({ file: storyFile(id) }) });
  }
  addForge(load);
  load.git("switch", "--quiet", "--create", "trunk");
  load.write({ "README.md": "hello, changed\n", "notes.txt": "not tracked\n" });
  return load;
}

/** What a mixed project leaves besides: the files of all kinds, and the forge with everything on it. */
export function mixedOutcome(load: Load) {
  const found = {
    files: ["specs", "docs", ".epics", ".automaker/stories"].flatMap((folder) => textsBelow(load.dir, folder)),
    forge: JSON.parse(readFileSync(forgeFile(load), "utf8")),
    pushed: load.git("-C", forgeOf(load), "for-each-ref", "--format=%(refname) %(objectname)").split("\n"),
    merged: load.git("-C", forgeOf(load), "log", "--format=%H %T %P %s", "main").split("\n"),
  };
  return JSON.parse(
    JSON.stringify(found).replaceAll(load.dir, "ROOT").replaceAll(basename(load.dir), "ROOT"),
  ) as typeof found;
}

export function forgeOf({ dir }: Pick<Load, "dir">): string {
  return join(dir, ".git/forge.git");
}

function forgeFile(load: Load): string {
  return join(forgeOf(load), "anneal-fake-forge.json");
}

function addForge(load: Load): void {
  const forge = forgeOf(load);
  load.git("init", "--quiet", "--bare", "--initial-branch=main", forge);
  load.git("remote", "add", "origin", forge);
  load.git("push", "--quiet", "origin", "main");
  const may = { permission: "write", bot: false };
  const lists = { users: { anneal: may, alice: may }, pulls: [], checks: [], limitedUntil: null, answersToLose: 0 };
  writeFileSync(forgeFile(load), JSON.stringify({ version: 1, me: "anneal", nextId: 1, ...lists }));
  const settings = JSON.parse(readFileSync(load.at("settings.json"), "utf8"));
  const pushConsent = { url: forge, by: "Robin", at: "2026-01-09T14:00:00Z" };
  writeFileSync(load.at("settings.json"), JSON.stringify({ ...settings, pushConsent }));
}

function judged(verdict: "pass" | "needs_work"): object {
  const open = {
    severity: "high",
    category: "logic",
    file: "asked.js",
    lineStart: 1,
    description: "Anything gets in.",
  };
  const issues = verdict === "pass" ? [] : [open];
  const signOff = verdict === "pass" ? { sign_off: signed } : {};
  return { role: "reviewer", answer: JSON.stringify({ verdict, issues, summary: "As it stands.", ...signOff }) };
}

function storyFile(id: string): string {
  return `docs/stories/${id}.md`;
}

/** Each story builds on the one before it. */
function after(at: number): string {
  const before = STORIES[at - 1];
  return before === undefined ? "" : `depends_on: [${before}]\n`;
}

function textsBelow(root: string, folder: string): [string, string][] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort();
  const files = names.map((name) => join(folder, name)).filter((file) => statSync(join(root, file)).isFile());
  return files.map((file) => [file, readFileSync(join(root, file), "utf8")]);
}

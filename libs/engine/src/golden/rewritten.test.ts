import { expect, test } from "vitest";
import { planEpic } from "../project/tickets/plan.ts";
import {
  build,
  EPIC,
  type EpicsProject,
  epicFiles,
  epicsProject,
  pass,
  type SampleTickets,
} from "./testing/sample-epics.ts";
import { unitFiles, unitsProject } from "./testing/sample-units.ts";

const BRANCH = `epic/${EPIC}`;

/** An epic that has run through, on whose branch a person then works. */
async function finished(tickets: SampleTickets, work: (git: EpicsProject["repo"]["git"]) => void) {
  const steps = Object.fromEntries(Object.keys(tickets).map((name) => [name, [build(name), pass]]));
  const project = await epicsProject(tickets, steps);
  await project.runEpic();
  const { git } = project.repo;
  git("switch", "--quiet", BRANCH);
  work(git);
  git("switch", "--quiet", "main");
  const goOn = async (more: SampleTickets) => {
    project.repo.write(epicFiles({ ...tickets, ...more }));
    for (const name of Object.keys(more)) project.plan(`${EPIC}/${name}`, { steps: [build(name), pass] });
    return await project.runEpic({ tickets: [...Object.keys(tickets), ...Object.keys(more)] });
  };
  const files = () => git("ls-tree", "-r", "--name-only", BRANCH, "src").split("\n");
  return { project, git, goOn, files };
}

test("a ticket that builds on others brings nothing back that people took out when they rewrote the epic branch", async () => {
  const { project, git, goOn, files } = await finished({ one: {}, two: {} }, (git) => {
    git("reset", "--quiet", "--soft", "main");
    git("commit", "--quiet", "-m", "squash");
    git("mv", "src/two.js", "src/second.js");
    git("rm", "--quiet", "src/one.js");
    git("commit", "--quiet", "-m", "not this one");
  });
  await goOn({ three: { after: ["one", "two"] }, four: { after: ["three"] } });
  expect(files()).toEqual(["src/four.js", "src/index.js", "src/second.js", "src/three.js"]);
  expect(git("log", "--format=%s", BRANCH).split("\n")).toEqual([
    "Merge ticket/four into epic/limits",
    "Merge ticket/three into epic/limits",
    "not this one",
    "squash",
    "first",
  ]);
  expect(git("log", "-1", "--format=%b", BRANCH)).toContain("which this branch does not hold any more");
  expect(project.state().status).toBe("completed");

  git("branch", "--force", BRANCH, `${BRANCH}~1`);
  const { ok, ...found } = await project.read((reader) =>
    planEpic(reader, EPIC, { standing: { cwd: project.root, here: project.root, root: project.root } }),
  );
  expect(found, "put back, it is not completed").toMatchObject({
    plan: { status: "in-progress", unmerged: ["four"], mergesAgain: true },
  });
  expect(ok).toBe(true);
});

test("nothing is merged into an epic branch while a person is asked what became of earlier merges", async () => {
  const { project, git, goOn, files } = await finished({ one: {}, two: {} }, (git) => {
    git("reset", "--quiet", "--hard", "HEAD~1");
    git("commit", "--quiet", "--allow-empty", "-m", "mine");
  });
  const before = git("rev-parse", BRANCH);
  const { settled } = await goOn({ three: {} });
  expect(settled.get(`epic:${EPIC}`)).toMatchObject({
    stage: "waiting-for-human",
    detail: expect.stringMatching(
      /two may be missing in epic\/limits.* -s ours ticket\/two .*; then anneal epic resume limits/,
    ),
  });
  expect([git("rev-parse", BRANCH), project.state().status]).toEqual([before, "in-progress"]);
  git("switch", "--quiet", BRANCH);
  git("merge", "--quiet", "-s", "ours", "--no-edit", "ticket/two");
  git("switch", "--quiet", "main");
  await project.say(`epic:${EPIC}`, "retry");
  await project.runEpic({ tickets: [] });
  expect(files()).toEqual(["src/index.js", "src/one.js", "src/three.js"]);
  expect(project.state().status).toBe("completed");
});

test.for([
  { what: "squashed and changed", rewrite: ["reset", "--quiet", "--soft"], taken: ["one-more.txt"], left: ["one.txt"] },
  { what: "put back", rewrite: ["reset", "--quiet", "--hard"], taken: [], left: [] },
])(
  "a unit under way brings in its own work alone where the feature branch is $what",
  async ({ rewrite, taken, left }) => {
    const write = (...names: string[]) => ({
      role: "implementer",
      answer: "Done.",
      edits: names.map((path) => ({ path, content: `${path}\n` })),
    });
    const project = await unitsProject({
      files: {
        ...unitFiles("one", [["Build", "test -e one.txt"]]),
        ...unitFiles("two", [["Build", "test -e two.txt"]]),
      },
      steps: { one: [write("one.txt", "one-more.txt")], two: [write("two.txt")] },
      choo: "code_review:\n  enabled: false\n",
    });
    const { git } = project.repo;
    const first = git("rev-parse", "main");
    git("switch", "--quiet", "-c", "topic");
    await project.runUnits(["one"]);
    await project.run(["unit:two"], {
      onEvent: ({ item, event }) => {
        if (item !== "unit:two" || event.type !== "committed") return;
        git(...rewrite, first);
        for (const file of taken) git("rm", "--quiet", "--force", file);
        git("commit", "--quiet", "--allow-empty", "-m", "mine");
      },
    });
    const texts = git("ls-tree", "--name-only", "topic")
      .split("\n")
      .filter((name) => name.endsWith(".txt"));
    expect(texts).toEqual([...left, "two.txt"]);
    expect(git("log", "--format=%s", "topic").split("\n")).toEqual(["Merge unit two into topic", "mine", "first"]);
  },
);

import { expect, test } from "vitest";
import { planEpic } from "../kinds/ticket/plan.ts";
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

test("nothing is merged into a rewritten epic branch until a person says what became of earlier merges, and nothing comes back", async () => {
  const { project, git, goOn, files } = await finished({ one: {}, two: {} }, (git) => {
    git("reset", "--quiet", "--soft", "main");
    git("commit", "--quiet", "-m", "squash");
    git("mv", "src/two.js", "src/second.js");
    git("rm", "--quiet", "src/one.js");
    git("commit", "--quiet", "-m", "not this one");
  });
  const before = git("rev-parse", BRANCH);
  const { settled } = await goOn({ three: { after: ["one", "two"] }, four: { after: ["three"] } });
  const asks =
    /one, two may be missing in epic\/limits.*there, git merge ticket\/one && git merge ticket\/two restores it, and git merge -s ours ticket\/one && git merge -s ours ticket\/two confirms that it stays out; then anneal epic resume limits/;
  expect(settled.get(`epic:${EPIC}`)).toMatchObject({
    stage: "waiting-for-human",
    detail: expect.stringMatching(asks),
  });
  expect([git("rev-parse", BRANCH), project.state().status]).toEqual([before, "in-progress"]);
  git("switch", "--quiet", BRANCH);
  for (const name of ["one", "two"]) git("merge", "--quiet", "-s", "ours", "--no-edit", `ticket/${name}`);
  git("switch", "--quiet", "main");
  await project.say(`epic:${EPIC}`, "retry");
  await project.runEpic({ tickets: [] });
  expect(files()).toEqual(["src/four.js", "src/index.js", "src/second.js", "src/three.js"]);
  expect(project.state().status).toBe("completed");

  git("branch", "--force", BRANCH, `${BRANCH}~1`);
  const { ok, ...found } = await project.read((reader) =>
    planEpic(reader, EPIC, { caller: { cwd: project.root, here: project.root, root: project.root } }),
  );
  expect(found, "put back, it is not completed").toMatchObject({
    plan: { status: "in-progress", unmerged: ["four"], mergesAgain: true },
  });
  expect(ok).toBe(true);
});

test("a unit under way is not merged into a feature branch that was rewritten, until a person says what that means", async () => {
  const write = (name: string) => ({
    role: "implementer",
    answer: "Done.",
    edits: [{ path: name, content: `${name}\n` }],
  });
  const project = await unitsProject({
    files: {
      ...unitFiles("one", [["Build", "test -e one.txt"]]),
      ...unitFiles("two", [["Build", "test -e two.txt"]]),
    },
    steps: { one: [write("one.txt")], two: [write("two.txt")] },
    choo: "code_review:\n  enabled: false\n",
  });
  const { git } = project.repo;
  const first = git("rev-parse", "main");
  git("switch", "--quiet", "-c", "topic");
  await project.runUnits(["one"]);
  const began = git("rev-parse", "topic").slice(0, 12);
  const { settled } = await project.run(["unit:two"], {
    onEvent: ({ item, event }) => {
      if (item !== "unit:two" || event.type !== "committed") return;
      git("reset", "--quiet", "--hard", first);
      git("commit", "--quiet", "--allow-empty", "-m", "mine");
    },
  });
  const asks = `topic does not contain ${began} any more, where this work started: git merge ${began} there restores it, and git merge -s ours ${began} confirms that it stays out; then anneal retry unit:two and anneal run unit:two`;
  expect(settled.get("unit:two")).toMatchObject({
    stage: "waiting-for-human",
    detail: expect.stringContaining(asks),
  });
  expect(git("log", "-1", "--format=%s", "topic")).toBe("mine");
  git("merge", "--quiet", "-s", "ours", "--no-edit", began);
  await project.say("unit:two", "retry");
  await project.run(["unit:two"]);
  expect(git("ls-tree", "--name-only", "topic").split("\n")).not.toContain("one.txt");
  expect(git("show", "topic:two.txt")).toBe("two.txt");
});

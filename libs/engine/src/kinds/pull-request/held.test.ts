import type { TrackedFinding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { type ForgeProject, forgeProject } from "../../golden/testing/forge-project.ts";
import * as given from "../../golden/testing/login-review-loop.ts";
import { PERSON } from "../../golden/testing/sample-project.ts";
import { historyOf } from "../../history/loop-history.ts";
import { rulable } from "../../history/summary.ts";
import { code, DUMMY, FILE, OTHER, writes } from "../../project/testing/leaky.ts";
import { openNamedItem } from "../../signals/named-item.ts";
import { type PersonsRuling, sendSignal } from "../../signals/send-signal.ts";

const LIMIT = {
  severity: "high",
  category: "security",
  file: FILE,
  lineStart: 1,
  description: "There is no rate limit.",
};
const needsLimit = given.selfReview("needs_work", [LIMIT], "No.");

async function runs({ run, id }: ForgeProject) {
  const { settled, broken } = await run([id]);
  expect([...broken]).toEqual([]);
  return settled.get(id);
}

async function now({ root, id, clock }: ForgeProject) {
  using talk = await openNamedItem(root, id, clock);
  if (talk.row === null) throw new Error("it has no loop");
  const { policy, state } = historyOf(talk.store, talk.row);
  const held = state.findings.filter(
    ({ finding, disposition }) => finding.rule === "secret" && disposition.kind === "open",
  );
  return { state, held, rulable: rulable(policy, state) };
}

async function rules(
  { root, id, clock }: ForgeProject,
  about: TrackedFinding | undefined,
  disposition: PersonsRuling = "dismissed",
) {
  using talk = await openNamedItem(root, id, clock);
  if (talk.row === null) throw new Error("it has no loop");
  const said = { fingerprint: about?.fingerprint ?? "", disposition, reason: "it is made up" };
  expect(await sendSignal({ ...talk, row: talk.row, by: PERSON, clock }, said)).toMatchObject({ result: "taken" });
}

const short = ({ fingerprint }: TrackedFinding) => fingerprint.slice(0, 12);
const WAITS = { stage: "waiting-for-human", reason: "never-publish" };
const OPENED = { stage: "awaiting-feedback" };

describe("a push that is held for what looks like a secret", () => {
  test("has a finding for every value, with its location and without the value, and names exactly those", async () => {
    const project = await forgeProject([
      writes("implementer", `// Two.\nexport const t = ["${DUMMY}", "${OTHER}"];\n`),
      given.passes,
    ]);
    const state = await runs(project);
    const { held, rulable: offered } = await now(project);
    expect(held.map(({ finding }) => finding)).toEqual([
      expect.objectContaining({ rule: "secret", severity: "critical", file: FILE, line: 2 }),
      expect.objectContaining({ rule: "secret", severity: "critical", file: FILE, line: 2 }),
    ]);
    expect(offered).toEqual(held);
    expect(new Set(held.map(short)).size).toBe(2);
    for (const one of held) expect(state).toMatchObject({ ...WAITS, detail: expect.stringContaining(short(one)) });
    const reported = JSON.stringify(await project.notifications());
    for (const value of [DUMMY, OTHER]) expect(reported).not.toContain(value);
  });

  test.for([{ ruling: "dismissed" }, { ruling: "accepted-risk" }] as const)(
    "goes out once every one of its findings is $ruling, and not before",
    async ({ ruling }) => {
      const project = await forgeProject([
        writes("implementer", `export const t = ["${DUMMY}", "${OTHER}"];\n`),
        given.passes,
      ]);
      await runs(project);
      const [first, second] = (await now(project)).held;
      await rules(project, first, ruling);
      const half = await now(project);
      expect(half.state).toMatchObject(WAITS);
      expect(half.held).toEqual([second]);
      if (second !== undefined) expect(half.state).toMatchObject({ detail: expect.stringContaining(short(second)) });
      expect(project.published()).not.toContain(DUMMY);
      await rules(project, second, ruling);
      expect(await runs(project)).toMatchObject(OPENED);
      expect(project.published()).toContain(OTHER);
    },
  );

  test("does not go out for a word on something else, which it does not offer either", async () => {
    const steps = [writes("implementer", code(DUMMY)), needsLimit, writes("fixer", "1\n", "a.txt"), needsLimit];
    const project = await forgeProject([...steps, writes("fixer", "2\n", "a.txt"), needsLimit]);
    expect(await runs(project)).toMatchObject(WAITS);
    const { state, held, rulable: offered } = await now(project);
    const limit = state.findings.find(({ finding }) => finding.rule !== "secret");
    expect(limit?.disposition).toEqual({ kind: "open" });
    expect(offered).toEqual(held);
    await rules(project, limit);
    expect((await now(project)).state).toMatchObject(WAITS);
    expect(project.published()).not.toContain(DUMMY);
    await rules(project, held[0]);
    expect(await runs(project)).toMatchObject(OPENED);
  });

  test("is about a reviewer's finding where that speaks of the value: nobody rules on it twice", async () => {
    const named = { ...LIMIT, severity: "medium", description: "A token is in the code." };
    const idle = { role: "fixer", answer: "There is nothing to do.\n" };
    const says = given.selfReview("needs_work", [named], "No.");
    const project = await forgeProject([writes("implementer", code(DUMMY)), says, idle]);
    const state = await runs(project);
    const { state: at, rulable: offered } = await now(project);
    expect(at.findings).toHaveLength(1);
    expect(offered).toEqual(at.findings);
    for (const one of offered) expect(state).toMatchObject({ ...WAITS, detail: expect.stringContaining(short(one)) });
    await rules(project, offered[0]);
    expect(await runs(project)).toMatchObject(OPENED);
  });

  test("is about no reviewer's finding where several values stand in its line: each has its own", async () => {
    const hardCoded = { ...LIMIT, severity: "medium", description: "The dummy token is hard-coded." };
    const both = `export const t = { dummy: "${DUMMY}", prod: "${OTHER}" };\n`;
    const says = given.selfReview("needs_work", [hardCoded], "No.");
    const idle = { role: "fixer", answer: "There is nothing to do.\n" };
    const project = await forgeProject([writes("implementer", both), says, idle]);
    expect(await runs(project)).toMatchObject(WAITS);
    const { held, state } = await now(project);
    expect(held).toHaveLength(2);
    await rules(
      project,
      state.findings.find(({ heldIn }) => heldIn === undefined),
    );
    await rules(project, held[0]);
    expect(await runs(project)).toMatchObject(WAITS);
    expect((await now(project)).held.map(short)).toEqual([held[1]].flatMap((one) => (one ? [short(one)] : [])));
  });

  test("stays for a finding that is only deferred", async () => {
    const project = await forgeProject([writes("implementer", code(DUMMY)), given.passes]);
    await runs(project);
    await rules(project, (await now(project)).held[0], "deferred");
    expect((await now(project)).state).toMatchObject(WAITS);
    expect(project.published()).not.toContain(DUMMY);
  });

  test("is held anew for another value that comes to the same location", async () => {
    const steps = [writes("implementer", code(DUMMY)), given.passes, writes("fixer", code(OTHER)), given.passes];
    const project = await forgeProject(steps);
    await runs(project);
    await rules(project, (await now(project)).held[0]);
    expect(await runs(project)).toMatchObject(OPENED);
    expect(await project.say(project.id, "refine", "go on")).toMatchObject({ result: "taken" });
    expect(await runs(project)).toMatchObject(WAITS);
    expect((await now(project)).held).toHaveLength(1);
    expect(project.published()).not.toContain(OTHER);
  });

  test("is held by the same finding where a fix took the value out and the commits still bring it", async () => {
    const steps = [writes("implementer", code(DUMMY)), given.passes, writes("fixer", code("none")), given.passes];
    const project = await forgeProject(steps);
    await runs(project);
    const [before] = (await now(project)).held;
    expect(await project.say(project.id, "refine", "take it out")).toMatchObject({ result: "taken" });
    expect(await runs(project)).toMatchObject(WAITS);
    const { held } = await now(project);
    expect(held.map(({ fingerprint }) => fingerprint)).toEqual([before?.fingerprint]);
    await rules(project, held[0]);
    expect(await runs(project)).toMatchObject(OPENED);
  });

  test.for([
    { where: "in the name of a file", path: `keys/${DUMMY}.txt`, content: "of the build\n" },
    { where: "in bytes", path: "dump.bin", content: `\0key=${DUMMY}\n` },
    { where: "in the message of a commit", path: "a.txt", content: "a\n", title: `Log in with ${DUMMY}` },
  ])("$where has a finding, too", async ({ path, content, title }) => {
    const feature = title === undefined ? {} : { feature: { title } };
    const work = writes("implementer", content, path);
    work.edits.push({ path: "src/login.js", content: "export const login = 1;\n" });
    const project = await forgeProject([work, given.passes], feature);
    const state = await runs(project);
    const { held } = await now(project);
    expect(held).toHaveLength(1);
    expect(JSON.stringify(held)).not.toContain(DUMMY);
    for (const one of held) expect(state).toMatchObject({ ...WAITS, detail: expect.stringContaining(short(one)) });
    await rules(project, held[0]);
    // What a title says can be said in other words: that is asked for next.
    const after = title === undefined ? OPENED : { ...WAITS, detail: expect.stringContaining("the title of the pull") };
    expect(await runs(project)).toMatchObject(after);
    if (title !== undefined) expect((await now(project)).rulable).toEqual([]);
  });
});

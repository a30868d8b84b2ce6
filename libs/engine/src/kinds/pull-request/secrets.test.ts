import { describe, expect, test } from "vitest";
import { type ForgeProject, forgeProject } from "../../golden/testing/forge-project.ts";
import * as given from "../../golden/testing/login-review-loop.ts";
import { PERSON } from "../../golden/testing/sample-project.ts";
import { code, DUMMY, FILE, OTHER as SECRET, writes } from "../../project/testing/leaky.ts";
import { openNamedItem } from "../../signals/named-item.ts";
import { type PersonsRuling, sendSignal } from "../../signals/send-signal.ts";

const idle = { role: "fixer", answer: "There is nothing to do.\n" };
const says = (description: string, lineEnd = 1) =>
  given.selfReview(
    "needs_work",
    [{ severity: "medium", category: "security", file: FILE, lineStart: 1, lineEnd, description }],
    "No.",
  );
const IN_CODE = "A token is in the code.";
const NO_LIMIT = "There is no rate limit.";

async function runs({ run, id }: ForgeProject) {
  const { settled, broken } = await run([id]);
  expect([...broken]).toEqual([]);
  return settled.get(id);
}

async function rules({ root, id, clock }: ForgeProject, disposition: PersonsRuling): Promise<void> {
  using talk = await openNamedItem(root, id, clock);
  if (talk.row === null) throw new Error("it has no loop");
  const [about] = talk.findings();
  const said = { fingerprint: about?.fingerprint ?? "", disposition, reason: "it is none" };
  expect(await sendSignal({ ...talk, row: talk.row, by: PERSON, clock }, said)).toMatchObject({ result: "taken" });
}

const held = {
  reason: "never-publish",
  detail: expect.stringMatching(/^not pushed, because it would publish a secret: .* GitHub token is in/),
};

describe.for([{ ruling: "dismissed" }, { ruling: "accepted-risk" }] as const)(
  "a finding that is $ruling",
  ({ ruling }) => {
    test.for([
      {
        what: "is no word on a secret that comes to its line later",
        steps: [writes("implementer", code("none")), says(NO_LIMIT), idle, writes("fixer", code(SECRET)), given.passes],
      },
      {
        what: "and is a secret is no word on another secret in its place",
        steps: [writes("implementer", code(DUMMY)), says(IN_CODE), idle, writes("fixer", code(SECRET)), given.passes],
      },
    ])("$what", async ({ steps }) => {
      const project = await forgeProject(steps);
      await runs(project);
      await rules(project, ruling);
      expect(await runs(project)).toMatchObject({ stage: "awaiting-feedback" });
      expect(await project.say(project.id, "refine", "go on")).toMatchObject({ result: "taken" });
      expect(await runs(project)).toMatchObject(held);
      expect(project.published()).not.toContain(SECRET);
    });

    test.for([
      { about: NO_LIMIT },
      { about: "The token is compared without constant time." },
      { about: "Passwords have no minimal length." },
      { about: "A token is in the code.", lineEnd: 3 },
    ])("and says $about of lines 1 to $lineEnd is no decision on a secret there", async ({ about, lineEnd }) => {
      const work = writes("implementer", `${code(SECRET)}// Two.\n// Three.\n`);
      const project = await forgeProject([work, says(about, lineEnd), idle]);
      await runs(project);
      await rules(project, ruling);
      expect(await runs(project)).toMatchObject(held);
      expect(project.published()).not.toContain(SECRET);
    });

    test("and is a secret lets exactly that one go out", async () => {
      const project = await forgeProject([writes("implementer", code(DUMMY)), says(IN_CODE), idle]);
      await runs(project);
      await rules(project, ruling);
      expect(await runs(project)).toMatchObject({ stage: "awaiting-feedback" });
      expect(project.published()).toContain(DUMMY);
    });
  },
);

describe("a secret is not pushed", () => {
  const wide = [...SECRET].map((letter) => `${letter}\0`).join("");
  test.for([
    { where: "in the name of a file", path: `keys/${SECRET}.txt`, content: "of the build\n" },
    { where: "in the name of a folder", path: `${SECRET}/notes.txt`, content: "of the build\n" },
    { where: "in a file with a NUL byte", path: "dump.bin", content: `\0key=${SECRET}\n` },
    { where: "in a file in UTF-16", path: "notes.txt", content: wide },
    { where: "in a file of which git shows no lines", path: "notes.txt", content: SECRET, attributes: "*.txt -diff\n" },
  ])("$where", async ({ path, content, attributes }) => {
    const work = writes("implementer", content, path);
    work.edits.push({ path: "src/login.js", content: "export const login = 1;\n" });
    if (attributes !== undefined) work.edits.push({ path: ".gitattributes", content: attributes });
    const project = await forgeProject([work, given.passes]);
    const before = project.published();
    const state = await runs(project);
    expect(state).toMatchObject(held);
    expect(state).toMatchObject({ detail: expect.not.stringContaining(SECRET) });
    expect(project.published()).toBe(before);
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoopEvent } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { approve, own, project } from "./testing/project.ts";

const GUARD = 'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n';
const OTHER = 'test("is there", () => {\n  assert.ok(add);\n});\n';
const REAL = `import test from "node:test";\nimport assert from "node:assert";\nimport { add } from "./add.js";\n${GUARD}${OTHER}`;
/** Red while add.js is broken and any test asserts what it adds up to. */
const RED = "! (grep -q broken add.js && grep -q '^  assert.equal' *.test.js)";

const wrote = (path: string, content: string) => ({ path, content });
const breaks = (...more: object[]) => ({
  role: "implementer",
  answer: "Done.",
  edits: [wrote("add.js", "broken\n"), ...more],
});
const fix = (...edits: object[]) => ({ role: "fixer", answer: "Mended.", edits });
const mended = wrote("add.js", "add = (a, b) => a + b;\n");
const gone = { path: "add.test.js", delete: true };

describe("a fix for red checks", () => {
  test.for([
    { what: "takes away the test file that was red", edit: gone, says: "A test file is gone" },
    { what: "takes away the test that was red", edit: wrote("add.test.js", OTHER), says: 'The test "adds" is gone' },
    {
      what: "takes away what the red test asserts",
      edit: wrote("add.test.js", `${GUARD.replace(/^ {2}assert.*\n/m, "")}${OTHER}`),
      says: "1 assertion fewer in the remaining tests",
    },
    {
      what: "skips the test that was red",
      edit: wrote("add.test.js", `${GUARD.replace("test(", "test.skip(").replace("  assert", "   assert")}${OTHER}`),
      says: "A test is switched off",
    },
  ])("that $what is sent back, and passes once the code is mended", async ({ edit, says }) => {
    const { validated, state } = await run([
      breaks(),
      fix(edit),
      fix(mended, wrote("add.test.js", GUARD + OTHER)),
      approve,
    ]);
    expect(validated).toEqual(["failed", `failed: ${says}`, "passed"]);
    expect(state).toMatchObject({ stage: "ended", outcome: "passed" });
  });

  test.for([
    { what: "calls the red test a todo", of: 'test("adds"', by: 'test("adds", { todo: true }' },
    { what: "never gets to the red test", of: 'test("adds"', by: 'if (false) test("adds"' },
  ])("that $what is sent back, by what the run itself says", async ({ of, by }) => {
    const { validated, state } = await run(
      [
        breaks(wrote("add.js", "export const add = () => 0;\n")),
        fix(wrote("add.test.js", REAL.replace(of, by))),
        fix(wrote("add.js", "export const add = (a, b) => a + b;\n"), wrote("add.test.js", REAL)),
        approve,
      ],
      {
        files: { "add.js": "export const add = () => 3;\n", "add.test.js": REAL },
        command: [process.execPath, "--test"],
      },
    );
    const says = "Tests that ran while the checks failed no longer run";
    expect(validated).toEqual(["failed", `failed: ${says}`, "passed"]);
    expect(state).toMatchObject({ outcome: "passed" });
  });

  test("that keeps the test away ends at a person, who gets a message, and decides", async () => {
    const { validated, state, again } = await run([
      breaks(),
      fix(gone),
      fix(wrote("b.js", "1\n")),
      fix(wrote("c.js", "1\n")),
      approve,
    ]);
    expect(validated).toEqual(["failed", "failed: A test file is gone", "failed: A test file is gone"]);
    expect(state).toMatchObject({
      stage: "waiting-for-human",
      reason: "validation-failed",
      detail: expect.stringMatching(/^stuck on "A test file is gone" in add\.test\.js, "`sh -c .*` fails"$/),
    });
    expect(await again()).toMatchObject({ stage: "ended", outcome: "passed" });
  });

  test.for([
    {
      what: "changes what a test expects",
      steps: [breaks(), fix(mended, wrote("add.test.js", `${GUARD.replace("3", "4")}${OTHER}`))],
    },
    {
      what: "drops a test that the change itself brought",
      steps: [breaks(wrote("more.test.js", GUARD)), fix(mended, { path: "more.test.js", delete: true })],
    },
    {
      what: "leaves a test away that the change had taken away before",
      steps: [breaks(wrote("add.test.js", GUARD)), fix(mended)],
    },
  ])("that $what is for the review to judge", async ({ steps }) => {
    const { validated, state } = await run([...steps, approve]);
    expect(validated).toEqual(["failed", "passed"]);
    expect(state).toMatchObject({ outcome: "passed" });
  });
});

const PLAIN = {
  files: { "add.js": "add = () => 3;\n", "add.test.js": GUARD + OTHER },
  command: ["sh", "-c", RED],
};

async function run(steps: object[], { files, command }: typeof PLAIN = PLAIN) {
  const repo = project({ a: { steps } });
  repo.commit(files, "tests");
  const file = join(repo.dir, ".automaker/settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...settings, testCommand: command }));
  const events: LoopEvent[] = [];
  const runtime = await own(repo, { onEvent: ({ event }) => events.push(event) });
  const state = await runtime.run("a");
  const validated = events.flatMap((event) => (event.type === "validated" ? [said(event)] : []));
  const again = async () => {
    const word = { type: "signalled", id: "w", at: 1, signal: "retry", by: "ada" };
    runtime.store.post({ id: "w", loop: "a~1", body: { kind: "event", event: word } });
    await runtime.inbox.empty();
    return await runtime.run("a");
  };
  return { state, validated, again };
}

/** A failure of the command itself has no name. */
function said({ result, findings }: Extract<LoopEvent, { type: "validated" }>): string {
  const [first] = findings;
  return first === undefined || first.rule === "project-check" ? result : `${result}: ${first.title}`;
}

import { replay } from "@anneal/core";
import type { LoopEvent, LoopState, TrackedFinding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { approve, implement, own, project, reject } from "./testing/project.ts";

const mended = { path: "auth.js", content: "ok = long;\n" };
const fix = (...edits: object[]) => ({ role: "fixer", answer: "Mended.", edits });
const ruled = (ruling: string) => ({
  ...approve,
  again: {
    rulings: {
      rulings: [
        { finding: 1, ruling: "fixed", evidence: "It asks for eight characters." },
        { finding: 2, ruling, evidence: "The item asks for it." },
      ],
    },
  },
});
const FILES = {
  "package.json": '{ "scripts": { "test": "node --test" } }\n',
  "package-lock.json": "{}\n",
  "run.sh": "echo\n",
  "far/away.js": "1\n",
};

async function run(steps: object[], description = "Wants a.") {
  const repo = project({ a: { steps: [implement, reject, ...steps], description } });
  repo.commit(FILES, "files");
  const events: LoopEvent[] = [];
  const runtime = await own(repo, { onEvent: ({ event }) => events.push(event) });
  const state = await runtime.run("a");
  const dismiss = async ({ fingerprint }: TrackedFinding) => {
    const word = { type: "finding-disposed", id: "d", at: 1, by: "ada", fingerprint, disposition: "dismissed" };
    runtime.store.post({ id: "d", loop: "a~1", body: { kind: "event", event: { ...word, reason: "We agreed." } } });
    await runtime.inbox.empty();
    return replay(events)?.state;
  };
  const messages = events.flatMap((event) => (event.type === "commit-prepared" ? [event.plan.message] : []));
  return { repo, state, strays: straysOf(state), dismiss, message: messages[1] ?? "" };
}

function straysOf({ findings }: LoopState): TrackedFinding[] {
  return findings.filter(({ strayed }) => strayed !== undefined);
}

const SEVEN = [
  { what: "CI", edit: { path: ".github/workflows/ci.yml", content: "on: push\n" } },
  { what: "a hook", edit: { path: ".husky/pre-commit", content: "true\n" } },
  { what: "settings", edit: { path: ".claude/settings.json", content: "{}\n" } },
  { what: "a manifest's scripts", edit: { path: "package.json", content: '{ "scripts": { "test": "true" } }\n' } },
  { what: "a lock file", edit: { path: "package-lock.json", content: '{ "a": 1 }\n' } },
  { what: "a link", edit: { path: "far/link", link: "away.js" } },
  { what: "an executable bit", edit: { path: "run.sh", content: "echo\n", executable: true } },
];

describe("a fix that touches what nothing names", () => {
  test.for(SEVEN)("$what: holds the approved change until a person agrees", async ({ edit }) => {
    const { state, strays, dismiss, message } = await run([fix(mended, edit), approve, fix()]);
    expect(state).toMatchObject({ stage: "waiting-for-human", reason: "stalled" });
    expect(strays).toMatchObject([
      { finding: { file: edit.path, severity: "critical" }, disposition: { kind: "open" } },
    ]);
    expect(state.verdict?.verdict).toMatchObject({ result: "fail", approved: true });
    expect(message).toContain(`Also changed, beyond the findings: ${edit.path}`);
    expect(await dismiss(strays[0]!)).toMatchObject({ stage: "ended", outcome: "passed" });
  });

  test.for([SEVEN[0]!, SEVEN[4]!])(
    "$what: passes once the reviewer, asked, rules that it is needed",
    async ({ edit }) => {
      const { state, strays } = await run([fix(mended, edit), ruled("refuted")]);
      expect(state).toMatchObject({ stage: "ended", outcome: "passed" });
      expect(strays).toMatchObject([{ disposition: { kind: "refuted" } }]);
    },
  );

  test.for([
    { what: "is new", edit: SEVEN[0]!.edit, back: { path: ".github/workflows/ci.yml", delete: true } },
    { what: "was changed", edit: SEVEN[3]!.edit, back: { path: "package.json", content: FILES["package.json"] } },
    { what: "has another mode", edit: SEVEN[6]!.edit, back: { ...SEVEN[6]!.edit, executable: false } },
  ])("and $what is settled by a fix that takes it back", async ({ edit, back }) => {
    const { state, strays } = await run([fix(mended, edit), approve, fix(back), approve]);
    expect(state).toMatchObject({ stage: "ended", outcome: "passed" });
    expect(strays).toMatchObject([{ disposition: { kind: "fixed", commit: state.head } }]);
  });
});

describe("a fix that stays in its scope", () => {
  test.for([
    {
      what: "with a test and a helper",
      edits: [
        { path: "auth.test.js", content: "1\n" },
        { path: "rules.js", content: "1\n" },
      ],
    },
    { what: "with a line in a document", edits: [{ path: "README.md", append: "Eight characters.\n" }] },
  ])("$what passes, and nothing is told", async ({ edits }) => {
    const { state, strays, message } = await run([fix(mended, ...edits), approve]);
    expect(state).toMatchObject({ stage: "ended", outcome: "passed" });
    expect(strays).toEqual([]);
    expect(message).not.toContain("Beyond");
  });

  test("passes with CI that the item asks for", async () => {
    const { state, strays } = await run(
      [fix(mended, SEVEN[0]!.edit), approve],
      "Wants a, and .github/workflows/ci.yml.",
    );
    expect(state).toMatchObject({ outcome: "passed" });
    expect(strays).toEqual([]);
  });

  test("passes with a few lines elsewhere, which its message and its review tell", async () => {
    const { state, strays, message } = await run([fix(mended, { path: "far/away.js", content: "2\n" }), approve]);
    expect(state).toMatchObject({ outcome: "passed" });
    expect(strays).toEqual([]);
    expect(message).toContain("Also changed, beyond the findings: far/away.js");
    expect(state.rounds.at(-1)?.report.notes).toContain(
      "the fix of round 1 also changed files that no finding names: far/away.js",
    );
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { epicFiles } from "../../../../libs/engine/src/golden/testing/sample-epics.ts";
import { unitFiles } from "../../../../libs/engine/src/golden/testing/sample-units.ts";
import { anneal, type Run, start } from "../testing/anneal.ts";
import { type Evil, feature, type HostileClone, hostileClone, NASTY, naming } from "./testing/hostile-clone.ts";

// Everything that a repository can bring along is hostile here; it is cloned as a user would, and every command runs in it.
const ITEM = "waiting";

const COMMANDS: string[][] = [
  ["review"],
  ["review", "--staged"],
  ["review", "--worktree"],
  ["review", "--reviewer", "builtin", "--base", "main"],
  ["review", "--format", "markdown"],
  ["init"],
  ["trust", "--list"],
  ["trust"],
  ["trust", "--yes"],
  ["token", "list"],
  ["add", "A title"],
  ["run"],
  ["run", "plain", "elsewhere", "waiting"],
  ["run", "--all"],
  ["run", "led-out"],
  ["loop", "--reviewer", "builtin"],
  ["loop", "--reviewer", "builtin", "--fixer", "builtin"],
  ["story", "run", "docs/stories/story-1-1.md", "--reviewer", "builtin"],
  ["story", "status", "1.1"],
  ["epic", "run", "limits"],
  ["epic", "run", "limits", "--dry-run"],
  ["epic", "status", "limits"],
  ["unit", "run", "one"],
  ["unit", "run", "one", "--dry-run"],
  ["unit", "status"],
  ["pr", "create", "plain"],
  ["pr", "create", "plain", "--dry-run"],
  ["pr", "watch", "--once"],
  ["pr", "status"],
  ["import", "."],
  ["status"],
  ["show", "plain"],
  ["show", "topic"],
  ["show", "../../outside"],
  ["show", "led-out"],
  ["history", "--json"],
  ["history"],
  ["stats"],
  ["export", "plain"],
  ["gc"],
  ["policies"],
  ["agents"],
  ["notify"],
  ["notify", "test"],
  ["doctor"],
  ...["approve", "accept", "refine", "ready", "retry", "resume", "one-more", "take-over", "skip", "pause", "stop"].map(
    (word) => [word, ITEM],
  ),
  ...["dismiss", "accept-risk", "defer", "reopen"].map((word) => [word, "plain", "abcdef123456", "--reason", "x"]),
];
/** These have a test of their own below, or never look into a repository. */
const APART = ["serve", "demo"];

const story = `# Story 1.1: ${NASTY}\n\n## Acceptance Criteria\n\n1. ${NASTY}\n`;
const settings = (more: object) => ({
  ".automaker/settings.json": JSON.stringify({ version: 1, ...more }),
});

const CLONES: { what: string; files: (evil: Evil) => Record<string, string>; says: RegExp }[] = [
  {
    what: "whose settings are all wrong",
    files: (evil) => ({
      ...naming(evil),
      ...settings({
        agents: { implementer: "command:./evil.sh a", reviewer: "command:./evil.sh b", fixer: "command:./evil.sh c" },
        agentSetup: { claude: { command: "./evil.sh claude" } },
        secondLook: { when: "always", by: "command:./evil.sh look" },
        worktree: { setup: [evil("set-up")], copy: ["../outside/secret", "/etc/passwd"], home: "../outside/home" },
        waivedPaths: ["**"],
        forge: "fake:../outside/forge",
      }),
      ".epics/limits/limits.epic.yaml": `name: "\\e]0;e"\ntitle: E\ntickets:\n  - id: one\n    path: ../../outside/secret\n    critical: true\n  - id: two\n    path: tickets/two.md\n`,
      ".epics/limits/artifacts/epic-state.json":
        '{"__proto__": {"polluted": true}, "epic_id": "limits", "tickets": {}}',
      ".epics/limits/tickets/two.md": `# ${NASTY}\n\n## Acceptance Criteria\n\n1. ${NASTY}\n`,
      "docs/stories/story-1-1.md": story,
    }),
    says: /secondLook\.by: the name of an agent/,
  },
  {
    what: "whose settings are right and name programs",
    files: (evil) => ({
      ...naming(evil),
      ...settings({ testCommand: evil("test-command"), worktree: { setup: [evil("set-up")] } }),
      "docs/stories/story-1-1.md":
        "# Story 1.1: Lend\n\nReaders take books home.\n\n## Acceptance Criteria\n\n1. Three.\n",
    }),
    says: /programs of this repository.* (?:consent|agree|allow)/,
  },
  {
    what: "whose settings are harmless",
    files: () => ({
      ...settings({}),
      ...unitFiles("one", [["Build", "true"]]),
      ...epicFiles({ one: {} }),
      "docs/stories/story-1-1.md": story,
      ".automaker/features/more/feature.json": feature("more", { branchName: "feature/../../more" }),
    }),
    says: /verified/,
  },
];

describe.for(CLONES)("a clone $what", ({ files, says }) => {
  let clone: HostileClone;
  beforeAll(() => {
    clone = hostileClone(files);
  });
  afterAll(() => clone[Symbol.dispose]());

  test.for(COMMANDS.map((args) => ({ args, shown: args.join(" ") })))(
    "starts nothing, leads nowhere and steers no terminal: anneal $shown",
    async ({ args }) => {
      const run = await anneal(clone.dir, args, clone.env);
      expect(clone.harm()).toEqual([]);
      refuseIn(run);
    },
  );

  test("comes as far as its settings let it", async () => {
    const { stdout, stderr } = await anneal(clone.dir, ["run", "plain"], clone.env);
    expect(`${stdout}${stderr}`).toMatch(says);
  });

  test("starts nothing and leads nowhere where it is served", async () => {
    const server = start(clone.dir, ["serve", "--port", "0"], clone.env);
    let said = "";
    const up = new Promise<void>((resolve) => {
      const look = (chunk: Buffer) => {
        said += chunk;
        if (/http:\/\/\S+/.test(said)) resolve();
      };
      server.child.stdout?.on("data", look);
      server.child.stderr?.on("data", look);
    });
    await Promise.race([up, server.ended]);
    await fetch(/http:\/\/[^\s/]+/.exec(said)?.[0] ?? "http://not.served");
    server.child.kill("SIGTERM");
    const run = await server.ended;
    expect(clone.harm()).toEqual([]);
    refuseIn({ ...run, code: 0 });
  });
});

test("no command is left out", async () => {
  using clone = hostileClone(() => ({}));
  const { stderr } = await anneal(clone.dir, ["nonesuch"], clone.env);
  const known = /known: (.*)\. See/.exec(stderr)?.[1]?.split(", ") ?? [];
  expect([...new Set(COMMANDS.map(([name]) => name)), ...APART].sort()).toEqual(known.sort());
});

function refuseIn({ code, stdout, stderr }: Run): void {
  const said = `${stdout}\n${stderr}`;
  expect(said).not.toMatch(/correct-horse|root:x:0|^ {2}secret$/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
  expect(said.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g)).toBeNull();
  expect(said).not.toMatch(/^\s+at .*\(?.*:\d+:\d+\)?$|polluted|TypeError|is not a function/m);
  expect([0, 1, 2, 3], said).toContain(code);
}

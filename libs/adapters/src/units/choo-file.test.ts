import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { interpretChoo, readChoo } from "./choo-file.ts";

const problems = (text: string) => {
  const read = interpretChoo(text);
  return read.ok ? [] : read.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
};
const seed = `# .choo.yaml
parallelism: 4
claude:
  command: claude
  max_turns: 0
worktree:
  base_path: .ralph/worktrees/
baseline_checks:
  - name: go-fmt
    command: gofmt -l .
    pattern: "*.go"
  - name: types
    command: "cd koe && pnpm typecheck"
code_review:
  # Enable/disable code review. Default: true
  enabled: true
  provider: claude
  max_fix_iterations: 2
  command: ""
`;

describe(".choo.yaml", () => {
  test("is read with its three sections, and everything else is kept", () => {
    const read = interpretChoo(seed);
    expect(read).toMatchObject({
      ok: true,
      codeReview: { enabled: true, provider: "claude", max_fix_iterations: 2, command: "" },
      baselineChecks: [
        { name: "go-fmt", command: "gofmt -l .", pattern: "*.go", steps: [{ argv: ["gofmt", "-l", "."] }] },
        { name: "types", steps: [{ argv: ["pnpm", "typecheck"], folder: "koe" }] },
      ],
      values: { parallelism: 4, worktree: { base_path: ".ralph/worktrees/" }, claude: { max_turns: 0 } },
      notes: [],
    });
  });

  test.for([
    { name: "an empty file", text: "" },
    { name: "only comments", text: "# code_review:\n#   enabled: false\n" },
    { name: "other sections only", text: "parallelism: 2\n" },
    { name: "an empty section", text: "code_review:\nbaseline_checks:\nclaude:\n" },
    { name: "empty braces", text: "code_review: {}\n" },
    { name: "a byte order mark", text: "\uFEFFcode_review: {}\n" },
  ])("with $name the defaults of the seed hold", ({ text }) => {
    expect(interpretChoo(text)).toMatchObject({
      ok: true,
      codeReview: { enabled: true, provider: "codex", max_fix_iterations: 1, command: "" },
      baselineChecks: [],
    });
  });

  test("without the file the defaults hold, and it is not made", async () => {
    using folder = tempFolder();
    expect(await readChoo(folder.dir)).toMatchObject({ ok: true, codeReview: { provider: "codex" } });
    expect(folder.files()).toEqual({});
  });

  test("is read from the project's root", async () => {
    using folder = tempFolder();
    folder.write(".choo.yaml", "code_review:\n  enabled: false\n");
    expect(await readChoo(folder.dir)).toMatchObject({ ok: true, codeReview: { enabled: false } });
  });

  test("a key that nobody knows under code_review is reported, since it may be a typo", () => {
    expect(interpretChoo("code_review:\n  max_fixes: 3\n")).toMatchObject({
      ok: true,
      notes: [
        ".choo.yaml:2: code_review.max_fixes is unknown and has no effect; known: enabled, provider, max_fix_iterations, command",
      ],
    });
  });

  test.for([
    {
      name: "an unknown provider",
      text: "a: 1\ncode_review:\n  provider: gpt\n",
      says: ['.choo.yaml:3: code_review.provider: unknown review provider: "gpt"; expected one of "codex", "claude"'],
    },
    {
      name: "a provider that is no text",
      text: "code_review:\n  provider: [codex]\n",
      says: ['.choo.yaml:2: code_review.provider: expected one of "codex", "claude"'],
    },
    {
      name: "a negative number",
      text: "code_review:\n  enabled: true\n  max_fix_iterations: -1\n",
      says: [".choo.yaml:3: code_review.max_fix_iterations: Too small: expected number to be >=0"],
    },
    {
      name: "half a fix",
      text: "code_review:\n  max_fix_iterations: 1.5\n",
      says: [expect.stringMatching(/^\.choo\.yaml:2: code_review\.max_fix_iterations: expected int/)],
    },
    {
      name: "a number as text",
      text: "code_review:\n  max_fix_iterations: '1'\n",
      says: [".choo.yaml:2: code_review.max_fix_iterations: expected number, received string"],
    },
    {
      name: "more fixes than anyone can mean",
      text: "code_review:\n  max_fix_iterations: 51\n",
      says: [".choo.yaml:2: code_review.max_fix_iterations: expected at most 50"],
    },
    {
      name: "a word for a switch",
      text: "code_review:\n  enabled: sometimes\n",
      says: [".choo.yaml:2: code_review.enabled: expected boolean, received string"],
    },
    {
      name: "a section of the wrong kind",
      text: "code_review: yes please\n",
      says: [".choo.yaml:1: code_review: expected object, received string"],
    },
    {
      name: "a check without a command",
      text: "baseline_checks:\n  - name: a\n  - name: b\n    command: ''\n",
      says: [
        ".choo.yaml:2: baseline_checks[0].command: expected string, received undefined",
        expect.stringContaining(".choo.yaml:4: baseline_checks[1].command: "),
      ],
    },
    {
      name: "a check that needs a shell",
      text: "baseline_checks:\n  - name: a\n    command: a | b\n",
      says: [".choo.yaml:3: baseline_checks[0].command: | in a | b needs a shell: write it as bash -c '…'"],
    },
    {
      name: "text that is not YAML",
      text: "code_review:\n  provider: codex\n enabled: true\n",
      says: [expect.stringMatching(/^\.choo\.yaml:3: it is not valid YAML: /)],
    },
    { name: "a list", text: "- a\n", says: [".choo.yaml:1: expected `key: value` lines"] },
    {
      name: "several at once",
      text: "code_review:\n  provider: x\n  max_fix_iterations: -3\n",
      says: [expect.stringContaining(":2: code_review.provider"), expect.stringContaining(":3: code_review.max_fix")],
    },
  ])("$name is one clear message with its line", ({ text, says }) => {
    expect(problems(text)).toEqual(says);
  });

  test("a file that is no text is refused", async () => {
    using folder = tempFolder();
    folder.write(".choo.yaml", new Uint8Array([0x61, 0xff]));
    expect(await readChoo(folder.dir)).toEqual({
      ok: false,
      problems: [{ file: ".choo.yaml", line: 1, message: "the bytes are not UTF-8" }],
    });
  });
});

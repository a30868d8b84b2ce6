import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { anneal } from "./testing/anneal.ts";
import { tempFolder } from "./testing/temp.ts";

const COMMANDS = [
  "review",
  "policies",
  "doctor",
  "demo",
  "init",
  "add",
  "run",
  "status",
  "show",
  "history",
  "stats",
  "export",
  "gc",
];

describe("anneal", () => {
  test.concurrent.for(["--version", "-v"])("%s prints the version of the package and nothing else", async (flag) => {
    using folder = tempFolder();
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    const run = await anneal(folder.path, [flag]);
    expect(run).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "", left: [] });
  });

  test.concurrent.for([{ args: [] }, { args: ["--help"] }, { args: ["-h"] }, { args: ["help"] }])(
    "$args names every command and the exit codes",
    async ({ args }) => {
      using folder = tempFolder();
      const run = await anneal(folder.path, args);
      expect(run).toMatchObject({ code: 0, stderr: "" });
      for (const name of COMMANDS) expect(run.stdout).toMatch(new RegExp(`^  ${name} `, "m"));
      expect(run.stdout).toMatch(/Exit codes: 0 pass, 1 fail, 2 .*, 3 inconclusive/);
    },
  );

  test.concurrent.for(COMMANDS)("%s --help explains the command, outside of any repository", async (name) => {
    using folder = tempFolder();
    const run = await anneal(folder.path, [name, "--help"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout.startsWith(`anneal ${name}: `)).toBe(true);
    expect((await anneal(folder.path, ["help", name])).stdout).toBe(run.stdout);
  });

  test.concurrent.for(["run", "loop", "story", "unit", "epic", "pr"])("%s --help names who can play", async (name) => {
    using folder = tempFolder();
    const { stdout } = await anneal(folder.path, [name, "--help"]);
    for (const agent of [
      "claude",
      "codex",
      "gemini",
      "acp:COMMAND",
      "scripted:FILE",
      "anthropic",
      "codex-review",
      "webhook:URL",
    ])
      expect(stdout).toMatch(new RegExp(`(?:Agents|besides):[^]*\\b${agent}\\b`));
  });

  test.concurrent("review --help names every option", async () => {
    using folder = tempFolder();
    const { stdout } = await anneal(folder.path, ["review", "--help"]);
    const options = ["base", "head", "staged", "worktree", "policy", "reviewer", "format", "output"];
    for (const option of options) expect(stdout).toContain(`--${option}`);
  });

  test.concurrent.for(["frobnicate", "constructor", "--nope", "", "two\nlines\u001b[31m"])(
    "the unknown command %j exits 2 with one line that names the known ones",
    async (name) => {
      using folder = tempFolder();
      const run = await anneal(folder.path, [name]);
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toMatch(/^anneal: unknown command "[^\p{Cc}]*"; known: review, [^\p{Cc}]*\n$/u);
    },
  );
});

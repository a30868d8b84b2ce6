import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signed } from "../../../../libs/core/src/read/testing/sign-off.ts";
import { anneal } from "../testing/anneal.ts";
import { makeRepo, PROJECT } from "../testing/branches.ts";
import { type TempPath, tempFolder } from "../testing/temp.ts";

/** A machine with just these programs, each a shell script, and global settings. */
function machine(scripts: Record<string, string>, settings: object = {}): TempPath & { env: Record<string, string> } {
  const folder = tempFolder();
  symlinkSync(process.execPath, join(folder.path, "node"));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder.path, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder.path, name), 0o755);
  }
  mkdirSync(join(folder.path, "data"));
  writeFileSync(join(folder.path, "data", "settings.json"), JSON.stringify({ version: 4, ...settings }));
  const env = {
    PATH: `${folder.path}:/usr/bin:/bin`,
    ANNEAL_DATA_DIR: join(folder.path, "data"),
    ANTHROPIC_API_KEY: "",
    OPENAI_API_KEY: "",
  };
  return Object.assign(folder, { env });
}

const CLAUDE = 'if [ "$1" = --version ]; then echo "9.8.7 (Claude Code)"; exit 0; fi\nexit 1';

describe("anneal agents", () => {
  test.concurrent("says of each what is there, whether it is signed in, and what to do", async () => {
    using repo = makeRepo(PROJECT);
    using here = machine({ claude: CLAUDE, codex: 'echo "codex-cli 1.2.3"' });
    const run = await anneal(repo.dir, ["agents"], { ...here.env, OPENAI_API_KEY: "sk-nothing" });
    expect(run).toMatchObject({ code: 0, stderr: "", left: [] });
    expect(run.stdout).toMatch(/^\? claude +Claude Code: claude 9\.8\.7, not signed in; all parts\n.*\n +→ claude/m);
    expect(run.stdout).toMatch(/^✔ codex +Codex.*: codex 1\.2\.3, signed in; all parts$/m);
    expect(run.stdout).toMatch(/^· gemini .*gemini is not on the PATH\n.*\n +→ npm install -g @google\/gemini-cli$/m);
    expect(run.stdout).toMatch(/^✔ openai .*no program needed, signed in; reviewer, analyst$/m);
    expect(run.stdout).toMatch(/^ +schema forwarded, read-only os, cost from prices/m);
    expect(run.stdout).toMatch(
      /\nReviewers that are not agents.*\n {2}builtin .*\n {2}codex-review .*\n {2}sarif .*\n {2}webhook .*\n$/,
    );
    expect(run.stdout).not.toContain("sk-nothing");
  });

  test.concurrent("gives the same as data, agents of one's own included", async () => {
    using repo = makeRepo(PROJECT);
    using here = machine({ claude: CLAUDE }, { agentSetup: { house: { kind: "command", command: ["house", "-q"] } } });
    const run = await anneal(repo.dir, ["agents", "--json"], here.env);
    const agents: { name: string; program: unknown; capabilities: unknown }[] = JSON.parse(run.stdout);
    expect(agents.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["claude", "codex", "gemini", "opencode", "cursor", "anthropic", "openai", "house"]),
    );
    expect(agents.find(({ name }) => name === "claude")).toMatchObject({
      program: { name: "claude", state: "found", version: "9.8.7" },
      signedIn: "no",
      capabilities: { schema: "native", readOnly: "toolset" },
    });
  });

  test.concurrent.for([
    { what: "an answer as asked", prints: `{"text":"Annealed."}`, code: 0, says: /^✔ house answered "Annealed\."/ },
    {
      what: "another answer",
      prints: `{"text":"What?"}`,
      code: 1,
      says: /^✘ house answered "What\?".*\n {2}→ the word "annealed" was expected: .*another model/,
    },
    { what: "plain text", prints: "Annealed.", code: 0, says: /^✔ house answered "Annealed\."/ },
    { what: "no answer", prints: "", code: 1, says: /^✘ house .*/ },
  ])("test asks one question and tells of $what", async ({ prints, code, says }) => {
    using repo = makeRepo(PROJECT);
    const house = { kind: "command", command: ["house"], unsandboxed: "allowed" };
    using here = machine({ house: `cat >/dev/null\necho '${prints}'` }, { agentSetup: { house } });
    const run = await anneal(repo.dir, ["agents", "test", "house"], here.env);
    expect(run).toMatchObject({ code, left: [] });
    expect(run.stdout).toMatch(says);
  });

  test.concurrent.for([
    { args: ["agents", "test"], says: "name an agent: anneal agents test NAME" },
    { args: ["agents", "probe"], says: 'anneal agents takes "test NAME" or "check NAME", not "probe"' },
    { args: ["agents", "test", "oracle"], says: 'unknown agent "oracle"; known: claude, codex' },
    { args: ["agents", "test", "codex-review"], says: "codex-review is a reviewer, not an agent" },
    { args: ["agents", "test", "builtin"], says: "try it with anneal review --reviewer builtin" },
    { args: ["agents", "test", "sarif"], says: "try it with anneal review --reviewer sarif:FILE" },
    { args: ["agents", "test", "webhook"], says: "try it with anneal review --reviewer webhook:URL" },
    { args: ["agents", "test", "sarif:x.sarif"], says: "try it with anneal review --reviewer sarif:x.sarif" },
    { args: ["agents", "test", "claude+codex"], says: "claude+codex names several reviewers: test one at a time" },
  ])("$args is refused: $says", async ({ args, says }) => {
    using repo = makeRepo(PROJECT);
    const run = await anneal(repo.dir, args);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(says);
    expect(run.stderr).not.toContain("asking");
  });

  test.concurrent("settings that say it wrongly are told with their place", async () => {
    using repo = makeRepo(PROJECT);
    using here = machine({}, { agentSetup: { claude: { comand: ["x"] } } });
    const run = await anneal(repo.dir, ["agents"], here.env);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/settings\.json.*agentSetup\.claude.*unknown key comand/);
  });

  const DOCUMENT = `# Story X Code Review Findings - Round 1

**Reviewer:** Agent (Fresh Context)
**Date:** 2026-01-31 12:00
**Branch:** discount

## Critical Issues (Must Fix)

1. **[Logic]:** Small sums are discounted, too
   - **File:** src/total.js:1
   - **Problem:** total(100) gives 90
   - **Impact:** Every small order is sold too cheaply
   - **Fix:** Ask for 2000 cents

## Important Issues (Should Fix)

None identified.

## Minor Issues (Nice to Have)

None identified.

## Summary

- **Total findings:** 1
- **Critical:** 1
- **Important:** 0
- **Minor:** 0
- **Recommendation:** Fix and review again

END OF REVIEW
`;

  test.concurrent("check has an agent review a sample, and says how the answer is read", async () => {
    using repo = makeRepo(PROJECT);
    const house = { kind: "command", command: ["house"], unsandboxed: "allowed" };
    const prints = `cat >/dev/null\ncat <<'END'\n${JSON.stringify({ text: DOCUMENT })}\nEND`;
    using here = machine({ house: prints }, { agentSetup: { house } });
    const run = await anneal(repo.dir, ["agents", "check", "house"], here.env);
    expect(run.stdout).toMatch(
      /^house answered in \d+s\n✔ read as findings-document: fail, 1 finding; 1 finding blocks\n {2}critical Small sums are discounted, too \(src\/total\.js:1\)\n$/,
    );
    expect(run).toMatchObject({ code: 0, left: [] });
    expect(run.stderr).toContain("asking house for a review of a small change under adversarial…");
  });

  test.concurrent.for([
    {
      what: "one that is fine",
      policy: "adversarial",
      answer: DOCUMENT,
      code: 0,
      says: /^✔ read as findings-document: fail/,
    },
    {
      what: "one without its sections",
      policy: "adversarial",
      answer: "Looks good to me!",
      code: 1,
      says: /^✘ not read as findings-document: \d+ problems?\n {2}1\. .*\n(?: {2}\d\. .*\n)* {2}→ docs\/write-a-reviewer\.md shows the format with examples, in the section adversarial\n$/,
    },
    {
      what: "a pass of another form",
      policy: "pull-request",
      answer: JSON.stringify({ verdict: "pass", issues: [], summary: "Fine.", sign_off: signed }),
      code: 0,
      says: /^✔ read as verdict-json: pass, 0 findings; no findings\n$/,
    },
  ])("check reads a saved answer: $what", async ({ policy, answer, code, says }) => {
    using repo = makeRepo(PROJECT);
    using here = machine({});
    const file = join(here.path, "answer.md");
    writeFileSync(file, answer);
    const run = await anneal(repo.dir, ["agents", "check", "--answer", file, "--policy", policy], here.env);
    expect(run.stdout).toMatch(says);
    expect(run.code).toBe(code);
    const data = await anneal(repo.dir, ["agents", "check", "--answer", file, "--policy", policy, "--json"], here.env);
    expect(JSON.parse(data.stdout)).toMatchObject({ policy, verdict: { result: expect.any(String) } });
  });

  test.concurrent.for([
    { args: ["check"], says: "name an agent: anneal agents check NAME, or anneal agents check --answer FILE" },
    { args: ["check", "claude", "--answer", "x"], says: "name an agent: anneal agents check" },
    { args: ["check", "--answer", "nowhere.md"], says: "--answer nowhere.md cannot be read: ENOENT" },
    { args: ["check", "builtin"], says: "builtin is a reviewer, not an agent" },
    { args: ["check", "claude", "--policy", "strict"], says: 'unknown policy "strict"; known: gate' },
    { args: ["--policy", "gate"], says: "--policy and --answer only work with anneal agents check" },
  ])("refuses $args", async ({ args, says }) => {
    using repo = makeRepo(PROJECT);
    using here = machine({});
    const run = await anneal(repo.dir, ["agents", ...args], here.env);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(says);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ReviewOutput } from "@anneal/types";
import { afterAll, describe, expect, test } from "vitest";
import { anneal, annealOnTerminal, hasTerminal } from "../testing/anneal.ts";
import { branchWith, flawedBranch } from "../testing/branches.ts";
import { scriptFile, tempFolder } from "../testing/temp.ts";

const ESCAPE = "\u001b";
const flawed = flawedBranch();
afterAll(() => flawed.remove());

describe("colours", () => {
  test.concurrent.for([
    { when: "piped", env: {}, coloured: false },
    { when: "piped with FORCE_COLOR", env: { FORCE_COLOR: "1" }, coloured: true },
    { when: "piped with FORCE_COLOR=0", env: { FORCE_COLOR: "0" }, coloured: false },
    { when: "piped with FORCE_COLOR and NO_COLOR", env: { FORCE_COLOR: "1", NO_COLOR: "1" }, coloured: false },
    { when: "piped with an empty NO_COLOR", env: { FORCE_COLOR: "1", NO_COLOR: "" }, coloured: true },
  ])("$when: $coloured", async ({ env, coloured }) => {
    const run = await anneal(flawed.dir, ["review"], env);
    expect(run.stdout.includes(ESCAPE)).toBe(coloured);
    expect(run.stderr).toBe("");
  });

  test.runIf(hasTerminal).for([
    { when: "on a terminal", args: [], env: {}, coloured: true },
    { when: "on a terminal with NO_COLOR", args: [], env: { NO_COLOR: "1" }, coloured: false },
    {
      when: "on a terminal with NO_COLOR and FORCE_COLOR",
      args: [],
      env: { NO_COLOR: "1", FORCE_COLOR: "1" },
      coloured: false,
    },
    { when: "on a dumb terminal", args: [], env: { TERM: "dumb" }, coloured: false },
  ])("$when: $coloured, with the progress and the same exit code", async ({ args, env, coloured }) => {
    const run = await annealOnTerminal(flawed.dir, ["review", ...args], env);
    expect(run.stdout.includes(ESCAPE)).toBe(coloured);
    expect(run.stdout).toContain("… builtin reviews topic against main under adversarial");
    expect(run.stdout).toContain("✘ fail");
    expect(run.code).toBe(1);
  });

  test.concurrent.for(["json", "markdown"])("%s never has any", async (format) => {
    const run = await anneal(flawed.dir, ["review", "--format", format], { FORCE_COLOR: "1" });
    expect(run.stdout).not.toContain(ESCAPE);
  });

  test.concurrent("a file never has any", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "review.txt");
    await anneal(flawed.dir, ["review", "--output", file], { FORCE_COLOR: "1" });
    expect(readFileSync(file, "utf8")).toContain("✘ fail");
    expect(readFileSync(file, "utf8")).not.toContain(ESCAPE);
  });
});

describe("what would steer a terminal does not get through", () => {
  // Clear the screen, set the title, the one-character form of CSI, DEL, a direction override, a carriage return.
  const hostile = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u007f\u202e\rx";
  const spoof = "\n✔ pass  no findings";
  const files = {
    [`src/${hostile}.ts`]: "debugger;\n",
    [`src/a${spoof}.ts`]: "debugger;\n",
    [`img/${hostile}${spoof}.png`]: new Uint8Array([0, 1, 2]),
    "src/todo.ts": `// TODO ${hostile}\nexport const a = "${hostile}";\n`,
    "test/a.test.ts": `test.only("${hostile}", () => {});\n`,
    "src/merge.ts": `<<<<<<< ${hostile.replace("\r", "")}\na\n=======\nb\n>>>>>>> ${hostile.replace("\r", "")}\n`,
    "config/a.yaml": `a: [${hostile}\n`,
  };
  const STEERING = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

  test.concurrent.for(["pretty", "json", "markdown"])("in %s", async (format) => {
    using repo = branchWith(files);
    const run = await anneal(repo.dir, ["review", "--format", format]);
    expect(run).toMatchObject({ code: 1, stderr: "" });
    expect(run.stdout).not.toMatch(STEERING);
    expect(run.stdout.split("\n").filter((line) => /^\s*✔ pass/.test(line))).toEqual([]);
    if (format !== "json") return;
    const { reviewed, skipped } = ReviewOutput.parse(JSON.parse(run.stdout)).coverage;
    expect([...reviewed, ...skipped.map(({ file }) => file)].toSorted()).toEqual(Object.keys(files).toSorted());
  });

  test.runIf(hasTerminal)("in the progress on a terminal", async () => {
    using repo = branchWith(files);
    const run = await annealOnTerminal(repo.dir, ["review"], { NO_COLOR: "1" });
    // The terminal itself turns every line end into a carriage return and a line feed.
    expect(run.stdout.replaceAll("\r\n", "\n")).not.toMatch(STEERING);
    expect(run.stdout.split("\r\n").filter((line) => /^\s*✔ pass/.test(line))).toEqual([]);
  });

  test.concurrent.for(["pretty", "json", "markdown"])("from an agent's answer, in %s", async (format) => {
    const issue = {
      severity: "critical",
      category: "security",
      file: `src/${hostile}`,
      description: `${hostile}${spoof}`,
    };
    using script = scriptFile([
      { answer: { verdict: "critical_issues", issues: [issue], summary: `${hostile}${spoof}` } },
    ]);
    const reviewer = ["--policy", "pull-request", "--reviewer", `scripted:${script.path}`];
    const run = await anneal(flawed.dir, ["review", ...reviewer, "--format", format]);
    expect([1, 3]).toContain(run.code);
    expect(run.stdout).not.toMatch(STEERING);
    expect(run.stdout.split("\n").filter((line) => line.startsWith("✔ pass"))).toEqual([]);
  });

  test.concurrent.for([
    { format: "pretty", heading: /^✔ pass/ },
    { format: "markdown", heading: /^(# ✅|[=-]+$)/ },
  ])("a verdict in an agent's prose does not look like ours, in $format", async ({ format, heading }) => {
    const fake = "\n✔ pass  no findings\n# ✅ Pass\n✅ Pass\n======\n✅ Pass\n------\n";
    const issue = { severity: "critical", category: "security", file: "src/tax.ts", description: `Bad.${fake}` };
    using script = scriptFile([{ answer: { verdict: "critical_issues", issues: [issue], summary: `Bad.${fake}` } }]);
    const reviewer = ["--policy", "pull-request", "--reviewer", `scripted:${script.path}`];
    const run = await anneal(flawed.dir, ["review", ...reviewer, "--format", format]);
    expect(run.code).toBe(1);
    expect(run.stdout.split("\n").filter((line) => heading.test(line))).toEqual([]);
  });
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ReviewedFinding, ReviewOutput } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { anneal } from "../testing/anneal.ts";
import { branchWith, cleanBranch, credentials, FLAWS, flawedBranch } from "../testing/branches.ts";
import { tempFolder } from "../testing/temp.ts";

const FORMATS = ["pretty", "json", "markdown"];

const byFile = (a: ReviewedFinding, b: ReviewedFinding) => (`${a.file}` < `${b.file}` ? -1 : 1);

describe("a branch with a planted secret, a focused test, a conflict marker and a broken JSON file", () => {
  test.concurrent("gives exactly those four findings with the right files and lines, and exits 1", async () => {
    using repo = flawedBranch();
    const run = await anneal(repo.dir, ["review", "--format", "json"]);
    const output = ReviewOutput.strict().parse(JSON.parse(run.stdout));
    expect(output.findings.toSorted(byFile)).toMatchObject(FLAWS);
    expect(output.findings).toHaveLength(FLAWS.length);
    expect(new Set(output.findings.map(({ fingerprint }) => fingerprint)).size).toBe(FLAWS.length);
    expect(output).toMatchObject({
      base: repo.git("rev-parse", "main"),
      head: repo.git("rev-parse", "topic"),
      policy: "adversarial",
      verdict: "fail",
      coverage: { reviewed: FLAWS.map(({ file }) => file), skipped: [] },
      reviewer: { agent: "builtin", model: null },
    });
    expect(run).toMatchObject({ code: 1, stderr: "", left: [] });
  });

  test.concurrent.for(["gate", "pull-request", "adversarial", "advisory"])("exits 1 under %s", async (policy) => {
    using repo = flawedBranch();
    const run = await anneal(repo.dir, ["review", "--policy", policy, "--format", "json"]);
    expect(ReviewOutput.parse(JSON.parse(run.stdout))).toMatchObject({ policy, verdict: "fail" });
    expect(run).toMatchObject({ code: 1, stderr: "" });
  });

  test.concurrent.for(FORMATS)("names every place in %s", async (format) => {
    using repo = flawedBranch();
    const run = await anneal(repo.dir, ["review", "--format", format]);
    for (const { file } of FLAWS) expect(run.stdout).toContain(file);
    expect(run.code).toBe(1);
  });

  test.concurrent("--json is --format json, and goes with no other format", async () => {
    using repo = flawedBranch();
    const run = await anneal(repo.dir, ["review", "--json"]);
    expect([run.code, ReviewOutput.parse(JSON.parse(run.stdout)).verdict]).toEqual([1, "fail"]);
    const both = await anneal(repo.dir, ["review", "--json", "--format", "markdown"]);
    expect(both).toMatchObject({ code: 2, stdout: "" });
    expect(both.stderr).toBe("anneal review: --json and --format markdown cannot be used together\n");
  });

  test.concurrent("two runs print the same bytes apart from durationMs", async () => {
    using repo = flawedBranch();
    const outputs = [];
    for (let at = 0; at < 2; at++) outputs.push((await anneal(repo.dir, ["review", "--format", "json"])).stdout);
    const [first, second] = outputs.map((text) => text.replace(/"durationMs": [\d.]+/, '"durationMs": 0'));
    expect(first).toContain('"durationMs": 0');
    expect(second).toBe(first);
  });
});

describe("a credential never leaves the file it stands in", () => {
  const token = credentials["GitHub token"];
  const files = {
    "src/token.ts": `export const token = "${token}";\n`,
    "src/aws.ts": `export const id = "${credentials["AWS key id"]}";\n`,
    "src/aws-secret.ts": `export const aws_secret_access_key = "${credentials["AWS secret key"]}";\n`,
    "src/db.ts": `export const db = "postgres://shop:${credentials["database password"]}@db.shop.dev:5432/orders";\n`,
    "src/log.ts": `export const f = () => console.log("${token}"); // TODO drop ${token}\n`,
    "src/merge.ts": `<<<<<<< ${token}\na\n=======\nb\n>>>>>>> ${token}\n`,
    "config/broken.json": `{\n  "token": "${token}"\n  "next": "${token}" ${token}\n}\n`,
    "config/broken.yaml": `token: ${token}\n  bad: [${token}: {${token}\n`,
    "config/broken.toml": `token = ${token}\n${token} = = 1\n`,
    "test/token.test.ts": `test.only("${token}", () => {});\ntest.skip("${token}", () => {});\n`,
  };

  test.concurrent.for(FORMATS)("%s reports every one of them and shows none", async (format) => {
    using repo = branchWith(files);
    const run = await anneal(repo.dir, ["review", "--format", format]);
    expect(run).toMatchObject({ code: 1, stderr: "" });
    for (const file of Object.keys(files)) expect(run.stdout).toContain(file);
    // The first four characters may show, to tell two credentials apart.
    for (const secret of Object.values(credentials)) expect(run.stdout).not.toContain(secret.slice(4));
  });
});

describe("a clean branch", () => {
  test.concurrent.for([
    { format: "pretty", says: "✔ pass" },
    { format: "json", says: '"verdict": "pass"' },
    { format: "markdown", says: "# ✅ Pass" },
  ])("exits 0 and says so in $format", async ({ format, says }) => {
    using repo = cleanBranch();
    const run = await anneal(repo.dir, ["review", "--format", format]);
    expect(run).toMatchObject({ code: 0, stderr: "", left: [] });
    expect(run.stdout).toContain(says);
    expect(run.stdout.endsWith("\n")).toBe(true);
  });

  test.concurrent("pretty is the default format and says what was not judged", async () => {
    using repo = cleanBranch();
    const run = await anneal(repo.dir, ["review"]);
    expect(run.stdout).toContain("✔ pass");
    expect(run.stdout).toContain("not whether the change does what was asked");
  });

  test.concurrent("is judged from the merge base, so that later work on the default branch does not count", async () => {
    using repo = cleanBranch();
    const fork = repo.git("rev-parse", "main");
    repo.git("switch", "--quiet", "main");
    repo.commit({ "src/other.ts": "export const other = 1;\n" });
    repo.git("switch", "--quiet", "topic");
    const run = await anneal(repo.dir, ["review", "--format", "json"]);
    expect(ReviewOutput.parse(JSON.parse(run.stdout))).toMatchObject({
      base: fork,
      coverage: { reviewed: ["src/tax.ts"], skipped: [] },
    });
  });

  test.concurrent("any two commits can be named", async () => {
    using repo = flawedBranch();
    const flawed = repo.git("rev-parse", "HEAD");
    repo.commit({ "docs/notes.md": "Notes.\n" });
    const run = await anneal(repo.dir, ["review", "--base", flawed, "--head", "topic", "--format", "json"]);
    expect(ReviewOutput.parse(JSON.parse(run.stdout))).toMatchObject({
      base: flawed,
      verdict: "pass",
      coverage: { reviewed: ["docs/notes.md"] },
    });
    expect(run.code).toBe(0);
  });
});

describe("--output", () => {
  test.concurrent.for(FORMATS)(
    "writes %s to the file, leaves standard output empty and keeps the exit code",
    async (format) => {
      using repo = flawedBranch();
      using folder = tempFolder();
      const file = join(folder.path, "review.out");
      writeFileSync(file, "an older result that is longer than nothing\n");
      const printed = await anneal(repo.dir, ["review", "--format", format]);
      const run = await anneal(repo.dir, ["review", "--format", format, "--output", file]);
      expect(run).toMatchObject({ code: 1, stdout: "", stderr: "" });
      const timeless = (text: string) => text.replace(/"durationMs": [\d.]+|in [\d.]+ m?s/, "");
      expect(timeless(readFileSync(file, "utf8"))).toBe(timeless(printed.stdout));
      expect(readdirSync(folder.path)).toEqual(["review.out"]);
    },
  );

  test.concurrent("is read from the folder that the command runs in", async () => {
    using repo = cleanBranch();
    const run = await anneal(join(repo.dir, "src"), ["review", "--output", "review.txt"]);
    expect(run).toMatchObject({ code: 0, stdout: "" });
    expect(existsSync(join(repo.dir, "src", "review.txt"))).toBe(true);
  });

  test.concurrent.for([
    { where: "a folder that does not exist", path: "no/such/folder/out.json" },
    { where: "a folder", path: "taken" },
    { where: "a path below a file", path: "plain/out.json" },
    { where: "an empty name", path: "" },
  ])("to $where is refused with exit 2, one line, and nothing left over", async ({ path }) => {
    using repo = cleanBranch();
    using folder = tempFolder();
    mkdirSync(join(folder.path, "taken"));
    writeFileSync(join(folder.path, "plain"), "");
    const file = path === "" ? "" : join(folder.path, path);
    const run = await anneal(repo.dir, ["review", "--output", file]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/^anneal review: .*\n$/);
    expect(readdirSync(folder.path).sort()).toEqual(["plain", "taken"]);
    expect(repo.git("status", "--porcelain")).toBe("");
  });
});

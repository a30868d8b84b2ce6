import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRepo } from "@anneal/git";
import type { CompleteReport } from "@anneal/types";
import { afterAll, describe, expect, test } from "vitest";
import { makeRepo } from "../../../../git/src/testing/make-repo.ts";
import { checkSarif, SarifError, sarifReviewer } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "anneal-sarif-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BEFORE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
const AFTER = BEFORE.replace("five", "FIVE").replace("nine\n", "");

const rules = [
  {
    id: "no-eval",
    shortDescription: { text: "Eval is used" },
    properties: { tags: ["security"], "security-severity": "9.1" },
  },
  { id: "style", defaultConfiguration: { level: "note" }, messageStrings: { m: { text: "Use {0}." } } },
];
const run = (results: unknown[] | undefined, more: object = {}) => ({
  tool: { driver: { name: "ESLint", rules } },
  ...(results === undefined ? {} : { results }),
  ...more,
});
const at = (startLine: number | undefined, more: object = {}, uri = "src/a.ts") => ({
  ruleId: "x",
  message: { text: "It is wrong." },
  locations: [
    { physicalLocation: { artifactLocation: { uri }, ...(startLine === undefined ? {} : { region: { startLine } }) } },
  ],
  ...more,
});

let number = 0;
async function reviewed(log: unknown, options: { name?: string; head?: boolean } = {}) {
  const name = options.name ?? `log-${++number}.sarif`;
  writeFileSync(join(folder, name), typeof log === "string" ? log : JSON.stringify(log));
  using repo = makeRepo({ "src/a.ts": BEFORE, "src/b.ts": "b\n", "lib/src/a.ts": BEFORE });
  const base = repo.git("rev-parse", "HEAD");
  const head = repo.commit({ "src/a.ts": AFTER, "logo.png": new Uint8Array([0, 1]) });
  const change = (await openRepo(repo.dir)).change({ base, head, headKind: "commit" });
  try {
    return { head, ...(await sarifReviewer(name, { cwd: folder }).review(change, new AbortController().signal)) };
  } finally {
    change.close();
  }
}
const log = (...runs: unknown[]) => ({ version: "2.1.0", runs });
const findingsOf = async (...results: unknown[]) =>
  ((await reviewed(log(run(results)))).report as CompleteReport).findings;

describe("a result", () => {
  test.for([
    { what: "on a changed line", result: at(5), finding: true },
    { what: "beside a line that is gone", result: at(8), finding: true },
    { what: "in a file of the change without a line", result: at(undefined), finding: true },
    {
      what: "that spans a changed line",
      result: {
        ...at(1),
        locations: [
          { physicalLocation: { artifactLocation: { uri: "src/a.ts" }, region: { startLine: 1, endLine: 6 } } },
        ],
      },
      finding: true,
    },
    { what: "without any place", result: { message: { text: "It does not compile." } }, finding: true },
    { what: "on a line that only stands near", result: at(4), finding: false },
    { what: "in a file that is not of the change", result: at(1, {}, "src/b.ts"), finding: false },
    { what: "with the tool's own path of the file", result: at(5, {}, "file:///build/x/src/a.ts"), finding: true },
    { what: "with a path from here", result: at(5, {}, "./src/a.ts"), finding: true },
    { what: "with escapes in the path", result: at(5, {}, "src/%61.ts"), finding: true },
    { what: "in another file that ends alike", result: at(5, {}, "lib/src/a.ts"), finding: false },
    {
      what: "that was suppressed in the tool",
      result: at(5, { suppressions: [{ kind: "external" }] }),
      finding: false,
    },
    {
      what: "whose suppression is under review",
      result: at(5, { suppressions: [{ kind: "external", status: "underReview" }] }),
      finding: true,
    },
    {
      what: "that the changed line itself suppresses",
      result: at(5, { suppressions: [{ kind: "inSource" }] }),
      finding: true,
    },
    { what: "that is a passed check", result: at(5, { kind: "pass" }), finding: false },
    { what: "that is gone since the baseline", result: at(5, { baselineState: "absent" }), finding: false },
  ])("$what is a finding: $finding", async ({ result, finding }) => {
    expect(await findingsOf(result)).toHaveLength(finding ? 1 : 0);
  });

  test.for([
    [{ level: "error" }, "high"],
    [{ level: "warning" }, "medium"],
    [{ level: "note" }, "low"],
    [{ level: "none" }, "info"],
    [{}, "medium"],
    [{ ruleId: "style" }, "low"],
    [{ kind: "review" }, "info"],
    [{ ruleId: "no-eval", level: "warning" }, "critical"],
  ] as const)("%j is %s", async ([more, severity]) => {
    expect((await findingsOf(at(5, more)))[0]?.severity).toBe(severity);
  });

  test("has its rule, the rule's words and its location", async () => {
    const [one, two] = await findingsOf(
      at(5, { ruleId: "no-eval", ruleIndex: 0 }),
      at(5, { ruleId: "style/1", message: { id: "m", arguments: ["let"] } }),
    );
    expect(one).toEqual({
      rule: "eslint/no-eval",
      category: "security",
      severity: "critical",
      title: "Eval is used",
      description: "It is wrong.",
      file: "src/a.ts",
      line: 5,
    });
    expect(two).toMatchObject({ rule: "eslint/style/1", description: "Use let.", severity: "low" });
  });

  test("that was there before is noted", async () => {
    const { report } = await reviewed(log(run([at(1, {}, "src/b.ts"), at(5)])));
    expect(report).toMatchObject({
      summary: "ESLint: 1 result on changed lines, 1 elsewhere that existed before the change.",
      notes: expect.arrayContaining(["Existed before the change: ESLint: src/b.ts:1: It is wrong."]),
    });
  });
});

describe("a result on a changed line of packages/a/src/x.ts, written as", () => {
  const files = {
    "packages/a/src/x.ts": "1\n",
    "packages/a/src/same.ts": "1\n",
    "packages/b/src/same.ts": "1\n",
    "packages/b/src/still.ts": "1\n",
    "c#/50%/y.ts": "1\n",
    "gone.ts": "1\n",
    "large.bin": new Uint8Array([0]),
  };
  const bases = {
    ROOT: { uri: "file:///ci/work/" },
    REPO: { uri: "r5/", uriBaseId: "ROOT" },
    PACKAGE: { uri: "packages/a", uriBaseId: "REPO" },
    SOURCES: { uri: "src/", uriBaseId: "PACKAGE" },
    ROUND: { uri: "x/", uriBaseId: "ABOUT" },
    ABOUT: { uri: "y/", uriBaseId: "ROUND" },
  };

  async function outcomeOf(artifactLocation: object | ((dir: string) => object), startLine = 1) {
    using repo = makeRepo(files);
    const base = repo.git("rev-parse", "HEAD");
    repo.git("rm", "-q", "gone.ts");
    const changed = ["packages/a/src/x.ts", "packages/a/src/same.ts", "packages/b/src/same.ts", "c#/50%/y.ts"];
    const head = repo.commit({
      ...Object.fromEntries(changed.map((path) => [path, "2\n3\n"])),
      "large.bin": new Uint8Array([0, 1]),
    });
    const opened = await openRepo(repo.dir);
    const location = typeof artifactLocation === "function" ? artifactLocation(opened.root) : artifactLocation;
    const result = {
      level: "error",
      message: { text: "Wrong." },
      locations: [{ physicalLocation: { artifactLocation: location, region: { startLine } } }],
    };
    const name = `path-${++number}.sarif`;
    writeFileSync(join(folder, name), JSON.stringify(log(run([result], { originalUriBaseIds: bases }))));
    const change = opened.change({ base, head, headKind: "commit" });
    try {
      const { report } = await sarifReviewer(name, { cwd: folder }).review(change, new AbortController().signal);
      if (report.status === "inconclusive") return report.reason;
      return report.findings[0]?.file ?? "was there before";
    } finally {
      change.close();
    }
  }

  test.for([
    { uri: "packages/a/src/x.ts" },
    { uri: "src/x.ts" },
    { uri: "x.ts" },
    { uri: "packages/./a/src/x.ts" },
    { uri: "packages//a/src/x.ts" },
    { uri: "packages/b/../a/src/x.ts" },
    { uri: "../r5/packages/a/src/x.ts" },
    { uri: "../../r5/packages/a/src/x.ts" },
    { uri: "Packages/A/src/X.ts" },
    { uri: "SRC/x.TS" },
    { uri: "packages\\a\\src\\x.ts" },
    { uri: "C:\\r5\\packages\\a\\src\\x.ts" },
    { uri: "file:///C:/r5/packages/a/src/x.ts" },
    { uri: "file://server/share/packages/a/src/x.ts" },
    { uri: "file://localhost/r5/packages/a/src/x.ts" },
    { uri: "file:/r5/packages/a/src/x.ts" },
    { uri: "packages/a/src/x.ts?v=1#L2" },
    { uri: "src/x.ts#L2" },
    { uri: "https://example.com/o/r/blob/main/packages/a/src/x.ts?plain=1" },
    { uri: "src/x.ts", uriBaseId: "PACKAGE" },
    { uri: "packages/a/src/x.ts", uriBaseId: "REPO" },
    { uri: "packages/a/src/x.ts", uriBaseId: "UNKNOWN" },
    { uri: "file:///elsewhere/packages/a/src/x.ts", uriBaseId: "PACKAGE" },
  ])("%j is a finding there", async (location) => {
    expect(await outcomeOf(location)).toBe("packages/a/src/x.ts");
  });

  test("a path of this machine is a finding there", async () => {
    expect(await outcomeOf((dir) => ({ uri: `file://${dir}/packages/a/src/x.ts` }))).toBe("packages/a/src/x.ts");
  });

  test.for([
    // Only with every level of its bases it is one file: with fewer it could be either of two.
    [{ uri: "same.ts", uriBaseId: "SOURCES" }, "packages/a/src/same.ts"],
    [{ uri: "c#/50%/y.ts" }, "c#/50%/y.ts"],
    [{ uri: "c%23/50%25/y.ts" }, "c#/50%/y.ts"],
    [{ uri: "large.bin" }, "large.bin"],
    [{ uri: "packages/b/src/still.ts" }, "was there before"],
    [{ uri: "src/still.ts" }, "was there before"],
    [{ uri: "/ci/r5/packages/b/src/still.ts" }, "was there before"],
  ] as const)("%j: %s", async ([location, outcome]) => {
    expect(await outcomeOf(location)).toBe(outcome);
  });

  test.for([
    [{ uri: "src/same.ts" }, '"src/same.ts" could be any of several changed files'],
    [
      { uri: "src/nowhere.ts" },
      'does not match this repository: no file at this commit is named "src/nowhere.ts"; run the tool again',
    ],
    [{ uri: "/app/src/x.ts" }, '"/app/src/x.ts"'],
    [{ uri: "gone.ts" }, '"gone.ts"'],
    [{ uri: "http://example.com/" }, "does not match this repository"],
    [{ uri: "x.ts", uriBaseId: "ROUND" }, 'its originalUriBaseIds has the base "ROUND", which refers to itself'],
  ] as const)("%j: nobody can say what is meant, and it is inconclusive", async ([location, reason]) => {
    expect(await outcomeOf(location)).toContain(reason);
  });
});

describe("a log of a changed file that has nine lines at the head", () => {
  test.for([
    { line: 1, is: "complete", findings: 0 },
    { line: 10, is: "complete", findings: 1 },
    { line: 11, is: "inconclusive" },
    { line: 99, is: "inconclusive" },
  ])("with a result on line $line: $is, $findings", async ({ line, is, findings }) => {
    const { report } = await reviewed(log(run([at(line)])));
    expect(report.status).toBe(is);
    if (report.status === "complete") expect(report.findings).toHaveLength(findings ?? 0);
    if (report.status === "inconclusive")
      expect(report.reason).toContain(`it names line ${line} of "src/a.ts", which has 9 at this commit`);
  });
});

describe("a log", () => {
  test("without results finds nothing, and decides nothing", async () => {
    const { report, coverage } = await reviewed(log(run([])));
    expect(report).toMatchObject({ status: "complete", claim: null, findings: [] });
    expect(coverage).toEqual({ reviewed: ["src/a.ts"], skipped: [{ file: "logo.png", reason: "binary" }] });
  });

  test("that names what the tool looked at leaves the rest unreviewed", async () => {
    const artifacts = [{ location: { uri: "src/z.ts" }, roles: ["analysisTarget"] }];
    expect((await reviewed(log(run([], { artifacts })))).coverage.skipped).toContainEqual({
      file: "src/a.ts",
      reason: "the tool did not check this file",
    });
  });

  test.for([
    { what: "that is no JSON", content: "{", reason: "it is not JSON" },
    { what: "of another version", content: { version: "2.0.0", runs: [run([])] }, reason: "2.1.0" },
    { what: "without runs", content: log(), reason: "it has no runs" },
    {
      what: "of a run that failed",
      content: log(
        run([], {
          invocations: [
            {
              executionSuccessful: false,
              toolExecutionNotifications: [{ level: "error", message: { text: "out of memory" } }],
            },
          ],
        }),
      ),
      reason: "its run failed: out of memory",
    },
    {
      what: "of a run that looked for nothing",
      content: log(run(undefined)),
      reason: "nothing shows that it checked anything; run it again",
    },
    {
      what: "whose results are elsewhere",
      content: log(run([], { externalPropertyFileReferences: { results: [{}] } })),
      reason: "other files",
    },
    { what: "with a level that there is not", content: log(run([at(5, { level: "fatal" })])), reason: '"fatal"' },
    { what: "with a result that says nothing", content: log(run([{ locations: [] }])), reason: "says nothing" },
    { what: "with a result that is null", content: log(run([null])), reason: "not an object" },
    {
      what: "about another commit",
      content: log(run([], { versionControlProvenance: [{ revisionId: "0123456789abcdef" }] })),
      reason: "checked commit 0123456789ab",
    },
    {
      what: "one good and one bad run",
      content: log(run([]), run(undefined)),
      reason: "nothing shows that it checked anything; run it again",
    },
  ])("$what is inconclusive", async ({ content, reason }) => {
    const { report, coverage } = await reviewed(content);
    expect(report).toMatchObject({ status: "inconclusive", reason: expect.stringContaining(reason) });
    expect(coverage.reviewed).toEqual([]);
  });

  test("that the change itself brings along is inconclusive", async () => {
    using repo = makeRepo({ a: "1" });
    const base = repo.git("rev-parse", "HEAD");
    const head = repo.commit({ "out.sarif": JSON.stringify(log(run([]))) });
    const change = (await openRepo(repo.dir)).change({ base, head, headKind: "commit" });
    const { report } = await sarifReviewer("out.sarif", { cwd: repo.dir }).review(change, new AbortController().signal);
    change.close();
    expect(report).toMatchObject({
      reason: "out.sarif cannot be used: the change itself contains this file, and a change must not judge itself",
    });
  });

  test("that is missing, or no text, is refused before anything starts", async () => {
    writeFileSync(join(folder, "bytes"), new Uint8Array([0xff, 0xfe, 0x00]));
    await expect(checkSarif("none.sarif", { cwd: folder })).rejects.toThrow(new SarifError("no such file"));
    await expect(checkSarif("bytes", { cwd: folder })).rejects.toThrow("not UTF-8");
    await expect(checkSarif(".", { cwd: folder })).rejects.toThrow("cannot be read (EISDIR)");
  });
});

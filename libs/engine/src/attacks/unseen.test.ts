import type { Reviewer } from "@anneal/adapters";
import { builtinReviewer } from "@anneal/adapters/builtin/reviewer";
import { POLICIES } from "@anneal/core";
import { openRepo, type Repo } from "@anneal/git";
import { systemClock } from "@anneal/system/clock";
import type { ReviewOutput } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textFiles } from "../../../adapters/src/reviewers/change-files.ts";
import { PERFECT_SCORES } from "../../../core/src/testing/build.ts";
import { type Files, makeRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { shownPatch } from "../review/diff-text.ts";
import { review } from "../review/review.ts";
import { withSkippedFiles } from "../review/reviewers/skipped-files.ts";

// What must be found: the embedded reviewer knows it, and so does the reader below.
const PLANTED = "debugger;";
const CODE = `export function pay(sum) {\n  ${PLANTED}\n  return sum;\n}\n`;
const wide = (text: string, order: "LE" | "BE") => {
  const bytes = Buffer.from(text, "utf16le");
  return order === "LE" ? bytes : bytes.swap16();
};
const marked = (text: string, order: "LE" | "BE") => Buffer.concat([wide("\ufeff", order), wide(text, order)]);

/** Beside each of them stands a change that everybody can read. */
const BESIDE = { "src/cart.js": "export const cart = [];\n" };

const PICTURE = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
const BYTES = Buffer.from([0, 1, 2, 0, 0, 3]);

const HIDINGS: { what: string; files: Files; ends: ReviewOutput["verdict"] }[] = [
  { what: "a NUL byte", files: { "src/pay.js": `// \0\n${CODE}` }, ends: "fail" },
  { what: "a NUL byte far down", files: { "src/pay.js": `${"// a\n".repeat(3_000)}// \0\n` }, ends: "fail" },
  { what: "UTF-16 with a mark", files: { "src/pay.js": marked(CODE, "LE") }, ends: "fail" },
  { what: "UTF-16 with the other mark", files: { "src/pay.js": marked(CODE, "BE") }, ends: "fail" },
  { what: "UTF-16 without a mark", files: { "src/pay.js": wide(CODE, "LE") }, ends: "fail" },
  {
    what: "UTF-16 that is none",
    files: { "src/pay.js": Buffer.concat([marked(CODE, "LE"), Buffer.from("x")]) },
    ends: "inconclusive",
  },
  {
    what: "another code page",
    files: { "src/pay.js": Buffer.from(CODE).map((byte) => (byte > 32 ? byte | 0x80 : byte)) },
    ends: "inconclusive",
  },
  { what: "a line of 2,000 characters", files: { "src/pay.js": `a();${" ".repeat(2_000)}${PLANTED}\n` }, ends: "fail" },
  { what: "a line of 2 MB", files: { "src/pay.js": `a();${" ".repeat(2_000_000)}${PLANTED}\n` }, ends: "inconclusive" },
  { what: "a file of 5 MB", files: { "src/pay.js": `${CODE}${"// a\n".repeat(1_100_000)}` }, ends: "inconclusive" },
  { what: "an image that is none", files: { "logo.png": Buffer.from(`\0\x01\x02${CODE}`) }, ends: "inconclusive" },
  {
    what: "code behind an image's first bytes",
    files: { "src/pay.js": Buffer.from(`\x89PNG\r\n\x1a\n\0\x01${CODE}`, "latin1") },
    ends: "inconclusive",
  },
  {
    what: "a picture that moves to be code",
    files: { "logo.png": null, "src/pay.cjs": PICTURE },
    ends: "inconclusive",
  },
  { what: "bytes that move", files: { "data.bin": null, "bin/tool": BYTES }, ends: "inconclusive" },
  {
    what: "code that begins as a picture",
    files: { "src/pay.bmp": Buffer.from(`BM=1/*\0\x01*/;${CODE}`, "latin1") },
    ends: "inconclusive",
  },
  {
    what: "a script that begins as a font",
    files: { "brand.ttf": Buffer.from("true\nrun\nexit\0\x01\x02\x03\0\0\0", "latin1") },
    ends: "inconclusive",
  },
  { what: "a link out of the repository", files: { "src/pay.js": { link: "/tmp/pay.js" } }, ends: "inconclusive" },
  { what: "a link above the repository", files: { "src/pay.js": { link: "../../pay.js" } }, ends: "inconclusive" },
  {
    what: "a pointer to git LFS",
    files: { "src/pay.js": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n" },
    ends: "inconclusive",
  },
];

/** Approves with the best scores whatever it is shown, unless it reads what was planted. */
function reader(repo: Repo): Reviewer {
  return {
    name: "reader",
    requirements: "judged",
    async review(change) {
      const patch = shownPatch(await repo.patch(change.bounds));
      const planted = {
        category: "logic",
        severity: "high",
        title: "A debugger",
        description: "It stops there.",
      } as const;
      const findings = patch.includes(PLANTED) ? [{ ...planted, file: "src/pay.js" }] : [];
      const claim = findings.length === 0 ? "pass" : "fail";
      const said = { status: "complete", claim, findings, summary: "Read.", rulings: [], notes: [] } as const;
      const { coverage } = await textFiles(change);
      return { report: { ...said, findings, rulings: [], notes: [], scores: PERFECT_SCORES }, coverage, usage: {} };
    },
  };
}

let made: TestRepo;
let repo: Repo;
const heads = new Map<string, string>();
let base: string;

beforeAll(async () => {
  made = makeRepo({
    "src/index.js": "export {};\n",
    "package.json": "{}\n",
    "logo.png": PICTURE,
    "data.bin": BYTES,
  });
  repo = await openRepo(made.dir);
  base = made.git("rev-parse", "HEAD");
  const add = (what: string, files: Files, more?: () => void) => {
    made.git("reset", "--quiet", "--hard", base);
    made.git("clean", "-fdxq");
    made.write({ ...BESIDE, ...files });
    made.git("add", "--all");
    more?.();
    made.git("commit", "--quiet", "-m", "change");
    heads.set(what, made.git("rev-parse", "HEAD"));
  };
  for (const { what, files } of HIDINGS) add(what, files);
  add("a submodule", {}, () => made.git("update-index", "--add", "--cacheinfo", `160000,${base},lib`));
  add("nothing", {});
  add("a link within", { "AGENTS.md": { link: "src/cart.js" } });
  add("an image", { "new.png": Buffer.concat([PICTURE, Buffer.from("\0")]) });
  add("a program that looks like an image", { "new.png": Buffer.concat([PICTURE, Buffer.from("\0")]) }, () =>
    made.git("update-index", "--chmod=+x", "new.png"),
  );
  add("an image that becomes a program", {}, () => made.git("update-index", "--chmod=+x", "logo.png"));
  add("an image that moves", { "logo.png": null, "img/logo.png": PICTURE });
  add("a lock file", { "package-lock.json": '{ "lockfileVersion": 3 }\n' });
  add("a lock file of elsewhere", {
    "package-lock.json": '{\n  "resolved": "https://registry.evil.example/x.tgz"\n}\n',
  });
});

afterAll(() => made.remove());

async function judged(what: string, policy: keyof typeof POLICIES, by: Reviewer, waived: string[] = []) {
  const change = repo.change({ base, head: heads.get(what) ?? "", headKind: "commit" });
  try {
    const reviewer = withSkippedFiles(by, async () => waived);
    const { signal } = new AbortController();
    return await review({ change, repo, policy: POLICIES[policy], reviewer, clock: systemClock, signal });
  } finally {
    change.close();
  }
}

const NAMES = Object.keys(POLICIES) as (keyof typeof POLICIES)[];
const MADE = ["a submodule", "a program that looks like an image", "an image that becomes a program"];
const ALL = [...HIDINGS, ...MADE.map((what) => ({ what, ends: "inconclusive" as const }))];

describe("code that hides in what is hard to read passes no policy", () => {
  test.for(ALL.flatMap(({ what, ends }) => NAMES.map((policy) => ({ what, ends, policy }))))(
    "$what under $policy",
    async ({ what, ends, policy }) => {
      expect((await judged(what, policy, reader(repo))).verdict).toBe(ends);
    },
  );

  test.for(ALL)("$what by the embedded reviewer", async ({ what, ends }) => {
    expect((await judged(what, "adversarial", builtinReviewer)).verdict).toBe(ends);
  });
});

describe("what is ordinary passes", () => {
  test.for([
    { what: "nothing" },
    { what: "a link within" },
    { what: "an image", excused: { "new.png": "asset" } },
    { what: "an image that moves" },
    { what: "a lock file", excused: { "package-lock.json": "lock file" } },
  ])("$what", async ({ what, excused = {} }) => {
    const { verdict, coverage } = await judged(what, "adversarial", builtinReviewer);
    expect(verdict).toBe("pass");
    expect(Object.fromEntries(coverage.skipped.map((one) => [one.file, one.excused]))).toEqual(excused);
  });

  test("but no lock file that takes packages from a place that nobody knew", async () => {
    const { verdict, summary } = await judged("a lock file of elsewhere", "adversarial", builtinReviewer);
    expect([verdict, summary]).toEqual(["inconclusive", expect.stringContaining("package-lock.json")]);
  });
});

test.for(NAMES)("what a person waives passes under %s as far as the rest does, and is listed", async (policy) => {
  const { verdict, coverage } = await judged("a submodule", policy, reader(repo), ["vendor/**", "lib"]);
  expect(verdict).toBe("pass");
  expect(coverage.skipped).toEqual([{ file: "lib", reason: 'submodule; waived by "lib"', excused: "waived" }]);
});

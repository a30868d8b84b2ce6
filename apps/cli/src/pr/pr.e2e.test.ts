import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signed } from "../../../../libs/core/src/read/testing/sign-off.ts";
import { type Project, project, writes } from "../testing/project.ts";

const answer = (verdict: string, issues: object[] = []) => ({
  role: "reviewer",
  answer: JSON.stringify({
    verdict,
    issues,
    summary: "Looked at.",
    ...(verdict === "pass" ? { sign_off: signed } : {}),
  }),
});
const pass = answer("pass");
const weak = writes("implementer", "export const ok = (p) => true;\n");
const fix = writes("fixer", "export const ok = (p) => p.length > 7;\n");
const reject = answer("needs_work", [
  { severity: "high", category: "logic", file: "auth.js", lineStart: 1, description: "Anybody gets in." },
]);
const later = writes("fixer", "export const ok = (p) => typeof p === 'string' && p.length > 7;\n");

const SETTINGS = { pullRequests: { pollMs: 1_000, quietMs: 86_400_000 } };

interface Here extends Project {
  forge: string;
}

/** A project with one feature whose remote is a fake forge that the command itself has made. */
async function withForge(steps: object[]): Promise<Here> {
  const here = project({ f1: { steps } }, { settings: SETTINGS });
  const forge = join(here.dir, ".git", "forge.git");
  expect(await here.anneal("pr", "forge", "init", forge)).toMatchObject({ code: 0, stderr: "" });
  here.git("remote", "add", "origin", forge);
  here.git("push", "--quiet", "origin", "main");
  return { ...here, forge };
}

const sessionOf = (here: Project) =>
  JSON.parse(readFileSync(join(here.dir, ".automaker/features/f1/review-loop.json"), "utf8"));

/** Somebody else commits on top of the pull request's branch. */
function pushesTheirs(here: Here): string {
  const clone = join(here.dir, ".git", "clone");
  here.git("clone", "--quiet", "--branch", "feature/f1", here.forge, clone);
  const bob = ["-c", "user.name=bob", "-c", "user.email=b@b"];
  here.git("-C", clone, ...bob, "commit", "--quiet", "--allow-empty", "-m", "x");
  here.git("-C", clone, "push", "--quiet");
  return here.git("-C", clone, "rev-parse", "HEAD");
}

describe("anneal pr", () => {
  test.concurrent("create opens a reviewed pull request, watch addresses its feedback and merges it, status tells", async () => {
    using here = await withForge([weak, reject, fix, pass, later, pass]);
    const created = await here.anneal("pr", "create", "f1", "--allow-push");
    expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining("Pull request 1: file://") });
    expect(here.git("ls-remote", "origin", "feature/f1")).toContain(here.git("rev-parse", "feature/f1"));
    await here.anneal("pr", "forge", "say", here.forge, "1", "Please refuse what is no text.", "--as", "alice");
    expect(await here.anneal("pr", "watch", "--once")).toMatchObject({ code: 0 });
    expect((await here.anneal("pr", "status")).stdout).toContain("ready_for_human_review  iteration 3/");
    await here.anneal("pr", "forge", "review", here.forge, "1", "approve", "--as", "alice");
    const watched = await here.anneal("pr", "watch", "f1", "--json");
    expect(watched.code).toBe(0);
    const events = watched.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["loop:feedback-received", "loop:merged", "review-loop:state-changed"]),
    );
    expect(here.feature("f1").status).toBe("completed");
    const [line] = JSON.parse((await here.anneal("pr", "status", "f1", "--json")).stdout);
    expect(line).toMatchObject({ id: "f1", session: sessionOf(here) });
    expect((await here.anneal("pr", "forge", "show", here.forge)).stdout).toContain("#1 Add f1: merged");
    expect((await here.anneal("show", "f1")).stdout).toMatch(/pr +1: file:/);
    expect((await here.anneal("export", "f1")).code).toBe(0);
    const over = { code: 0, stdout: "Pull request 1 of f1 is merged.\n" };
    expect(await here.anneal("pr", "watch", "--once")).toMatchObject(over);
  });

  test.concurrent("watch listens until it is stopped, and loses nothing by that", async () => {
    using here = await withForge([weak, pass]);
    const allowed = await here.anneal("pr", "allow", "--json");
    expect(JSON.parse(allowed.stdout)).toEqual({ allowed: true, remote: "origin", url: here.forge });
    await here.anneal("pr", "create", "f1");
    const watching = here.start("pr", "watch");
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (!existsSync(join(here.dir, ".git/anneal/owner.json")) && watching.child.exitCode === null) return;
        clearInterval(timer);
        resolve();
      }, 50);
    });
    watching.child.kill("SIGINT");
    expect((await watching.ended).code).toBe(130);
    expect(sessionOf(here).state).toBe("awaiting_pr_feedback");
    await here.anneal("pr", "forge", "close", here.forge, "1", "--as", "alice");
    expect(await here.anneal("pr", "watch")).toMatchObject({ code: 1 });
    expect(here.feature("f1").status).toBe("waiting_approval");
    expect(sessionOf(here).state).toBe("closed");
  });

  test.concurrent("watch says that someone else pushed to what was ready, and so does status", async () => {
    using here = await withForge([weak, pass]);
    await here.anneal("pr", "create", "f1", "--allow-push");
    await here.anneal("ready", "f1");
    expect(await here.anneal("pr", "watch", "--once")).toMatchObject({ code: 0 });
    const theirs = pushesTheirs(here);
    await here.anneal("pr", "forge", "review", here.forge, "1", "approve", "--as", "alice");
    const says = `someone else pushed ${theirs} to pull request 1: check that commit, then use take-over`;
    expect(await here.anneal("pr", "watch", "--once")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(says),
    });
    expect((await here.anneal("pr", "status")).stdout).toContain(says);
  });

  test.concurrent("run tells what its own look at the forge held, and what was merged there without a review", async () => {
    using here = await withForge([weak, pass]);
    await here.anneal("pr", "create", "f1", "--allow-push");
    const theirs = pushesTheirs(here);
    const held = await here.anneal("run");
    expect(held).toMatchObject({ code: 1, stdout: expect.stringContaining("waits for you") });
    expect(held.stdout.replace(/\s+/g, " ")).toContain(`someone else pushed ${theirs} to pull request 1`);
    await here.anneal("pr", "forge", "merge", here.forge, "1", "--as", "alice");
    const merged = await here.anneal("run", "--all");
    expect(merged.stdout.replace(/\s+/g, " ")).toContain(`somebody merged ${theirs}, NOT REVIEWED: this loop is at `);
    expect((await here.anneal("pr", "status")).stdout).toMatch(/ merged .* NOT REVIEWED$/m);
    expect((await here.anneal("pr", "watch")).stdout).toBe("Pull request 1 of f1 is merged, NOT REVIEWED.\n");
    const certificate = JSON.parse((await here.anneal("export", "f1")).stdout);
    expect(certificate).toMatchObject({ head: theirs, holds: false, verdict: { result: "inconclusive" } });
  });

  test.concurrent("watch fails where a look fails, and says so as JSON, too", async () => {
    using here = await withForge([weak, pass]);
    await here.anneal("pr", "create", "f1", "--allow-push");
    const file = join(here.forge, "anneal-fake-forge.json");
    const books = JSON.parse(readFileSync(file, "utf8"));
    const watched = async (change: object) => {
      writeFileSync(file, JSON.stringify({ ...books, ...change }));
      const { code, stdout } = await here.anneal("pr", "watch", "--once", "--json");
      const lines = stdout.split("\n").filter(Boolean);
      return { code, lines: lines.map((line) => JSON.parse(line)) };
    };
    expect(await watched({ limitedUntil: Date.now() + 86_400_000 })).toMatchObject({
      code: 1,
      lines: [
        { type: "loop:unheard", item: "f1", payload: { reason: expect.stringContaining("limits our requests") } },
      ],
    });
    expect(await watched({})).toEqual({ code: 0, lines: [] });
    const gone = await watched({ pulls: [] });
    expect([gone.code, ...gone.lines.map(({ type }) => type)]).toEqual([1, "loop:delivery-held", "review-loop:error"]);
    expect((await here.anneal("pr", "status")).stdout).toContain("pull request 1 does not exist any more");
    expect((await here.anneal("retry", "f1")).code).toBe(0);
    expect(await here.anneal("pr", "watch", "--once")).toMatchObject({ code: 0 });
    expect((await here.anneal("pr", "forge", "show", here.forge)).stdout).toContain("#1 Add f1: open");
  });

  test.concurrent("a dry run says what would happen, and changes nothing", async () => {
    using here = await withForge([]);
    const before = here.git("ls-remote", "origin");
    const dry = await here.anneal("pr", "create", "f1", "--dry-run", "--json");
    expect(JSON.parse(dry.stdout)).toMatchObject({
      feature: "f1",
      account: "anneal",
      base: "main",
      pushAllowed: false,
    });
    expect(existsSync(join(here.dir, ".git/anneal/log.db"))).toBe(false);
    expect(here.git("ls-remote", "origin")).toBe(before);
  });

  test.concurrent("mistakes are told in one line each, and nothing starts", async () => {
    using here = await withForge([weak, pass]);
    const cases: [string[], string][] = [
      [["pr"], "a subcommand is required: create, watch, status, allow, forge"],
      [["pr", "open"], "unknown command anneal pr open"],
      [["pr", "create"], "name a feature: anneal pr create ID"],
      [["pr", "create", "nope"], "nothing is called nope"],
      [["pr", "create", "f1"], "until you allow it: run anneal pr allow once in this project, or use --allow-push"],
      [["pr", "watch"], "no pull request is open here"],
      [["pr", "watch", "f1"], "f1 has no open pull request"],
      [["pr", "forge", "init"], "name the folder"],
      [["pr", "forge", "init", here.dir], "is a work tree"],
      [["pr", "forge", "say", here.forge, "1", "hello"], "missing: a name: --as NAME"],
      [["pr", "forge", "say", here.forge, "x", "hello", "--as", "alice"], 'not "x"'],
      [["pr", "forge", "review", here.forge, "1", "maybe", "--as", "alice"], 'not "maybe"'],
      [["pr", "forge", "show", "/nowhere"], "is not a fake forge"],
    ];
    for (const [args, says] of cases) {
      const run = await here.anneal(...args);
      expect([args, run.code, run.stdout]).toEqual([args, 2, ""]);
      expect(run.stderr.trim().split("\n")).toEqual([expect.stringContaining(says)]);
    }
    here.git("remote", "remove", "origin");
    const none = await here.anneal("pr", "create", "f1", "--allow-push");
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("the project has no remote called origin") });
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createFakeForge, type FakeForge } from "../../../../libs/adapters/src/forges/fake/index.ts";
import { gitHubStandIn, type StandIn, TOKEN } from "../../../../libs/adapters/src/forges/github/testing/stand-in.ts";
import { systemClock } from "../../../../libs/system/src/clock.ts";
import { tempFolder } from "../../../../libs/system/src/testing/temp-folder.ts";
import { type Project, project, writes } from "../testing/project.ts";

const signOff = { requirements: "none stated", not_reviewed: "none", conditions: "none", decision: "approved" };
const answer = (verdict: string, issues: object[] = [], more: object = {}) => ({
  role: "reviewer",
  answer: JSON.stringify({ verdict, issues, summary: "Looked at.", ...more }),
});
const pass = answer("pass", [], { sign_off: signOff });
const anybody = { severity: "high", category: "logic", file: "auth.js", lineStart: 1, description: "Anybody gets in." };
const reject = answer("needs_work", [anybody]);
const weak = writes("implementer", "export const ok = (p) => true;\n");
const fix = writes("fixer", "export const ok = (p) => p.length > 7;\n");
const later = writes("fixer", "export const ok = (p) => typeof p === 'string' && p.length > 7;\n");

interface Here {
  here: Project;
  standIn: StandIn;
  people: FakeForge;
}

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A project whose remote is reached over HTTP, with a credential helper, and whose forge is our stand-in for GitHub. */
async function onGitHub(steps: object[], env: NodeJS.ProcessEnv = {}): Promise<Here> {
  const folder = tempFolder();
  const people = await createFakeForge(folder.path("github"));
  const standIn = await gitHubStandIn(people.dir, systemClock);
  const settings = { forge: "github:", pullRequests: { pollMs: 1_000, quietMs: 86_400_000, labels: ["anneal"] } };
  // Nothing of the person's own may be sent anywhere.
  const none = { GITHUB_TOKEN: "", GH_TOKEN: "", GH_ENTERPRISE_TOKEN: "", GITHUB_ENTERPRISE_TOKEN: "" };
  const here = project(
    { f1: { steps } },
    { settings, env: { ...none, GH_HOST: standIn.host, GH_TOKEN: TOKEN, ...env } },
  );
  opened.push(async () => {
    await standIn.close();
    here.remove();
    folder[Symbol.dispose]();
  });
  here.git("remote", "add", "origin", `${standIn.address}.git`);
  here.git("push", "--quiet", people.dir, "main");
  here.git("config", "credential.helper", `!f() { echo username=x; echo password=${TOKEN}; }; f`);
  for (const name of ["alice", "bob"]) await people.setUser(name, "write");
  return { here, standIn, people };
}

const sessionOf = (here: Project) =>
  JSON.parse(readFileSync(join(here.dir, ".automaker/features/f1/review-loop.json"), "utf8"));

describe("anneal pr on GitHub", () => {
  test("create opens a reviewed pull request, watch answers in the thread and merges what is approved, status tells", async () => {
    const { here, standIn, people } = await onGitHub([weak, reject, fix, pass, later, pass]);
    const created = await here.anneal("pr", "create", "f1", "--allow-push");
    expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining("/acme/shop/pull/1") });
    const pull = await people.get(1);
    expect(pull).toMatchObject({
      author: "anneal",
      labels: ["anneal"],
      head: { sha: here.git("rev-parse", "feature/f1") },
    });
    const request = await people.as("alice").comment(1, "Please refuse what is no text.", { file: "auth.js", line: 1 });
    expect(await here.anneal("pr", "watch", "--once")).toMatchObject({ code: 0 });
    expect((await here.anneal("pr", "status")).stdout).toContain("ready_for_human_review  iteration 3/");
    const comments = await people.comments(1);
    const thread = comments.find(({ id }) => id === request)?.thread?.id;
    expect(comments.filter((one) => one.thread?.id === thread).map(({ author }) => author)).toEqual([
      "alice",
      "anneal",
    ]);
    await people.as("bob").review(1, { state: "approved" });
    const watched = await here.anneal("pr", "watch", "f1", "--json");
    expect(watched).toMatchObject({ code: 0, stdout: expect.stringContaining('"loop:merged"') });
    expect(await people.get(1)).toMatchObject({ state: "merged" });
    expect(here.feature("f1").status).toBe("completed");
    expect(sessionOf(here).state).toBe("merged");
    expect(standIn.objections).toEqual([]);
    const posts = standIn.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/pulls"));
    expect(posts).toHaveLength(1);
  });

  test.for([
    { when: "while people look at it", act: async () => {} },
    {
      when: "when it is to be merged",
      act: (people: FakeForge) => people.as("alice").review(1, { state: "approved" }),
    },
  ])("the files of a conflict $when are named by git, since GitHub does not tell them", async ({ act }) => {
    const { here, people } = await onGitHub([weak, pass]);
    await here.anneal("pr", "create", "f1", "--allow-push");
    await people.as("bob").push("main", { "auth.js": "export const ok = 1;\n" });
    await act(people);
    const watched = await here.anneal("pr", "watch", "--once");
    expect(watched.code).toBe(1);
    expect(`${watched.stdout}${watched.stderr}`.replace(/\s+/g, " ")).toContain("auth.js");
  });

  test.for([
    { what: "no token", env: { GH_TOKEN: "" }, says: "run gh auth login" },
    { what: "a token that is not accepted", env: { GH_TOKEN: "gho_hunter2" }, says: "does not accept the token" },
    { what: "a token for another host", env: { GH_HOST: "github.com" }, says: "run gh auth login" },
  ])("with $what it says what to do, pushes nothing, and shows no token", async ({ env, says }) => {
    const { here, standIn, people } = await onGitHub([weak, pass], env);
    const created = await here.anneal("pr", "create", "f1", "--allow-push", "--dry-run");
    expect(created.code).not.toBe(0);
    expect(`${created.stdout}${created.stderr}`.replace(/\s+/g, " ")).toContain(says);
    expect(`${created.stdout}${created.stderr}`).not.toContain("hunter2");
    expect(await people.fromBranch("feature/f1")).toEqual([]);
    expect(standIn.requests.every(({ status }) => status === 401)).toBe(true);
  });
});

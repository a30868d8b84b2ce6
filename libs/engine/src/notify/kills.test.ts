import { readFileSync } from "node:fs";
import { join } from "node:path";
import { READY_COMMENT, READY_LABEL } from "@anneal/core/notify";
import { expect, onTestFinished, test } from "vitest";
import { faultServer } from "../../../adapters/src/notify/testing/fault-server.ts";
import { signed } from "../../../core/src/read/testing/sign-off.ts";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { program } from "../../../system/src/testing/program.ts";
import { openStore } from "../log/index.ts";
import { type Flow, run } from "../project/testing/kill-run.ts";

const verdict = (word: string, issues: object[]) => ({
  role: "reviewer",
  answer: JSON.stringify({
    ...{ verdict: word, issues, summary: "As it stands." },
    ...(word === "pass" ? { sign_off: signed } : {}),
  }),
});
const OPEN = { severity: "high", category: "logic", file: "auth.js", lineStart: 1, description: "Empty passwords." };
const edit = (content: string) => [{ path: "auth.js", content }];
const STEPS = [
  { role: "implementer", answer: "First try.", edits: edit("export const ok = () => true;\n") },
  verdict("needs_work", [OPEN]),
  { role: "fixer", answer: "Checked.", edits: edit("export const ok = (p) => p.length > 7;\n") },
  verdict("pass", []),
  {
    role: "fixer",
    answer: "Refused.",
    edits: edit('export const ok = (p) => typeof p === "string" && p.length > 7;\n'),
  },
  verdict("pass", []),
];

function project() {
  const script = JSON.stringify({ name: "scripted", steps: STEPS });
  const repo = makeRepo({ "README.md": "hello\n", ".gitignore": ".automaker/\n", "script.json": script });
  onTestFinished(() => repo.remove());
  const forge = join(repo.dir, ".git/forge.git");
  repo.git("init", "--quiet", "--bare", "--initial-branch=main", forge);
  repo.git("remote", "add", "origin", forge);
  repo.git("push", "--quiet", "origin", "main");
  const may = { permission: "write", bot: false };
  const users = { anneal: may, alice: may, bob: may };
  const lists = { users, pulls: [], checks: [], limitedUntil: null, answersToLose: 0 };
  const state = { version: 1, me: "anneal", nextId: 1, ...lists };
  const settings = {
    version: 1,
    pushConsent: { url: forge, by: "Robin", at: "2026-01-09T14:00:00Z" },
    reviewLoop: { notificationChannels: ["github", "slack"] },
    pullRequests: { reviewers: ["bob"], labels: ["agent-written"] },
  };
  repo.write({
    ".git/forge.git/anneal-fake-forge.json": JSON.stringify(state),
    ".automaker/features/f1/feature.json": `${JSON.stringify({ id: "f1", title: "Add login", description: "Users log in.", status: "backlog" })}\n`,
    ".automaker/settings.json": JSON.stringify(settings),
  });
  return repo;
}

const FLOW = { key: "f1", child: program("kill-pull-request-child") } as Flow;

/** What reached people. */
async function told(point: string) {
  await using slack = await faultServer();
  const repo = project();
  const env = { ANNEAL_SLACK_WEBHOOK_URL: slack.url };
  const first = await run(repo, FLOW, point === "" ? env : { ...env, ANNEAL_FAILPOINT: point });
  const last = first.signal === "SIGKILL" ? await run(repo, FLOW, env) : first;
  const { pulls } = JSON.parse(readFileSync(join(repo.dir, ".git/forge.git/anneal-fake-forge.json"), "utf8"));
  const comments: { author: string; body: string }[] = pulls[0].comments;
  const store = openStore(repo, { clock: { now: () => 0 } });
  const states = store.notices().map(({ channel, state }) => `${channel} ${state}`);
  store.close();
  return {
    killed: first.signal === "SIGKILL",
    ended: last.out,
    pulls: pulls.length,
    labels: [...pulls[0].labels].sort(),
    reviewers: pulls[0].reviewers,
    comments: comments.filter(({ body }) => body.startsWith(READY_COMMENT)).length,
    slack: slack.received.map(({ body }) => JSON.parse(body).text as string),
    states,
  };
}

test("a pull request that is ready: one comment, one label, one request for review, and one message in Slack", async () => {
  const { slack, ...rest } = await told("");
  expect(rest).toEqual({
    killed: false,
    ended: "merged",
    pulls: 1,
    labels: ["agent-written", READY_LABEL],
    reviewers: ["bob"],
    comments: 1,
    states: ["github sent", "slack sent"],
  });
  expect(slack).toEqual([expect.stringContaining("Ready for review: Add login")]);
});

test.for([
  { point: "notice.note.before:1", atLeast: 1 },
  { point: "notice.note.after:1", atLeast: 1 },
  // On record as being sent: nobody can ask Slack, so that it is not sent again.
  { point: "notice.send.before:1", atLeast: 0 },
  { point: "notice.send.before:2", atLeast: 0 },
  { point: "notice.send.after:1", atLeast: 0 },
  { point: "notice.record.after:1", atLeast: 0 },
  { point: "forge.update.after:1", atLeast: 0 },
  { point: "forge.comment.after:2", atLeast: 0 },
])("killed at $point and started again, nobody is told twice", { timeout: 120_000 }, async ({ point, atLeast }) => {
  const { slack, states, killed, ...rest } = await told(point);
  expect({ killed, ...rest }).toEqual({
    ...{ killed: true, ended: "merged", pulls: 1, comments: 1 },
    ...{ labels: ["agent-written", READY_LABEL], reviewers: ["bob"] },
  });
  expect(slack.length).toBeLessThanOrEqual(1);
  expect(slack.length).toBeGreaterThanOrEqual(atLeast);
  expect(states).toContain("github sent");
  expect(states).toContain(
    slack.length === 0 ? "slack unclear" : states.find((one) => /^slack (?:sent|unclear)$/.test(one)),
  );
});

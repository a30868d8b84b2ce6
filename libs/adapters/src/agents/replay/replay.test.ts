import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";
import type { Agent, AgentRequest } from "../../ports.ts";
import { agentContract } from "../../testing/agent-contract.ts";
import { type FileEdit, type Script, scriptedAgent } from "../scripted/scripted.ts";
import { recordingAgent, replayAgent } from "./replay.ts";

const never = new AbortController().signal;
const ask = (repo: TestRepo, role: AgentRequest["role"], prompt = "?"): AgentRequest => ({
  role,
  prompt,
  cwd: repo.dir,
  limits: { timeoutMs: 60_000 },
});

agentContract(
  "replay",
  async (plan, folder) => {
    using repo = makeRepo({ a: "1\n" });
    const steps = plan.map(({ role, answer, end, writes = {} }) => ({
      role,
      answer,
      end,
      edits: Object.entries(writes).map(([path, content]) => ({ path, content })),
    }));
    const cassette = join(folder, "cassette.json");
    const agent = recordingAgent(scriptedAgent({ steps }), cassette);
    for (const { role } of plan) await agent.run(ask(repo, role), never);
    return replayAgent(cassette);
  },
  { hangs: "cannot", models: "none" },
);

agentContract(
  "recording",
  (plan, folder) =>
    recordingAgent(
      scriptedAgent({
        steps: plan.map(({ role, answer, end, writes = {} }) => ({
          role,
          answer,
          end,
          edits: Object.entries(writes).map(([path, content]) => ({ path, content })),
        })),
      }),
      join(folder, "cassette.json"),
    ),
  { hangs: "can", models: "none" },
);

const start = { a: "1\n", gone: "g\n", moved: "a\nb\nc\nd\n", ".gitignore": "cassette.json\nignored\n" };
const cassetteIn = (repo: TestRepo) => join(repo.dir, "cassette.json");

function recorder(repo: TestRepo, script: Script): Agent {
  return recordingAgent(scriptedAgent(script), cassetteIn(repo));
}

describe("a recorded run", () => {
  test("plays back what the agent said and every file that it changed", async () => {
    using repo = makeRepo(start);
    repo.write({ draft: "was here before\n" });
    const edits: FileEdit[] = [
      { path: "a", append: "2\n" },
      { path: "gone", delete: true },
      { path: "moved", delete: true },
      { path: 'dir/é "x"\n', content: "a\nb\nc\nd\n" },
      { path: "bytes", base64: Buffer.from([0, 255, 10]).toString("base64") },
      { path: "run.sh", content: "#!/bin/sh\n", executable: true },
      { path: "link", link: "a" },
      { path: "ignored", content: "not recorded" },
    ];
    const agent = recorder(repo, {
      model: "m",
      steps: [{ answer: { done: true }, edits, usage: { outputTokens: 9 } }],
    });
    const recorded = await agent.run(ask(repo, "fixer"), never);

    using other = makeRepo(start);
    other.write({ draft: "was here before\n" });
    expect(await replayAgent(cassetteIn(repo)).run(ask(other, "fixer"), never)).toEqual(recorded);
    expect(recorded).toMatchObject({
      status: "finished",
      structured: { done: true },
      model: "m",
      usage: { outputTokens: 9 },
    });
    for (const one of [repo, other]) one.git("add", "--all");
    expect(other.git("write-tree")).toBe(repo.git("write-tree"));
    expect(readlinkSync(join(other.dir, "link"))).toBe("a");
    expect(statSync(join(other.dir, "run.sh")).mode & 0o111).toBe(0o111);
    expect(readdirSync(other.dir)).not.toContain("ignored");
  });

  test("holds edits that the agent committed by itself", async () => {
    using repo = makeRepo(start);
    const committing: Agent = {
      ...scriptedAgent({ steps: [] }),
      run: async () => {
        repo.commit({ a: "committed\n" });
        return { status: "finished", text: "", usage: {} };
      },
    };
    await recordingAgent(committing, cassetteIn(repo)).run(ask(repo, "fixer"), never);
    expect(JSON.parse(readFileSync(cassetteIn(repo), "utf8")).runs[0].edits).toEqual([
      { path: "a", content: "committed\n" },
    ]);
  });

  test("holds the hash of the prompt, never the prompt", async () => {
    using repo = makeRepo(start);
    await recorder(repo, { steps: [{ answer: "x" }] }).run(ask(repo, "reviewer", "private words"), never);
    const text = readFileSync(cassetteIn(repo), "utf8");
    expect(text).not.toContain("private words");
    expect(JSON.parse(text).runs[0].promptHash).toMatch(/^[0-9a-f]{64}$/);
    expect(readdirSync(repo.dir).filter((name) => name.startsWith(".cassette"))).toEqual([]);
  });

  test("that its provider turned away is left out", async () => {
    using repo = makeRepo(start);
    const agent = recorder(repo, { steps: [{ answer: "hello", rateLimited: {} }] });
    expect(await agent.run(ask(repo, "reviewer"), never)).toMatchObject({ rateLimited: { retryAfterMs: null } });
    await agent.run(ask(repo, "reviewer"), never);
    const replayed = await replayAgent(cassetteIn(repo)).run(ask(repo, "reviewer"), never);
    expect(replayed).toMatchObject({ status: "finished", text: "hello" });
  });

  test("that was cancelled is left out", async () => {
    using repo = makeRepo(start);
    const agent = recorder(repo, { steps: [{ answer: "hm", end: "hang" }, { answer: "second" }] });
    const stop = new AbortController();
    const run = await agent.run({ ...ask(repo, "reviewer"), onEvent: () => stop.abort() }, stop.signal);
    expect(run.status).toBe("cancelled");
    await agent.run(ask(repo, "reviewer"), never);
    expect(await replayAgent(cassetteIn(repo)).run(ask(repo, "reviewer"), never)).toMatchObject({ text: "second" });
  });

  test("that timed out plays back as timed out", async () => {
    using repo = makeRepo(start);
    await recorder(repo, { steps: [{ end: "hang" }] }).run(
      { ...ask(repo, "reviewer"), limits: { timeoutMs: 5 } },
      never,
    );
    expect(await replayAgent(cassetteIn(repo)).run(ask(repo, "reviewer"), never)).toMatchObject({
      status: "timed-out",
    });
  });

  test.for(["same", "approval"] as const)("about texts alone (%s) needs no repository", async (again) => {
    using repo = makeRepo(start);
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-replay-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const request = { ...ask(repo, "reviewer"), cwd: folder, again };
    const steps = [{ answer: "A review.", again: { [again]: "Yes." } }];
    const agent = recorder(repo, { steps });
    await agent.run(ask(repo, "reviewer"), never);
    expect(await agent.run(request, never)).toMatchObject({ status: "finished", text: "Yes." });
    const replay = replayAgent(cassetteIn(repo));
    await replay.run(ask(repo, "reviewer"), never);
    expect(await replay.run(request, never)).toMatchObject({ status: "finished", text: "Yes." });
  });

  test("that cannot be recorded is failed", async () => {
    using repo = makeRepo(start);
    const agent = recordingAgent(scriptedAgent({ steps: [{ answer: "APPROVED" }] }), join(repo.dir, "a/cassette.json"));
    expect(await agent.run(ask(repo, "reviewer"), never)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("could not be recorded"),
    });
  });
});

describe("a replay fails closed", () => {
  const record = async (repo: TestRepo) => {
    await recorder(repo, { steps: [{ answer: "APPROVED", edits: [{ path: "a", content: "2\n" }] }] }).run(
      ask(repo, "fixer", "p"),
      never,
    );
    repo.git("checkout", "--quiet", "--", ".");
    return cassetteIn(repo);
  };

  test("when the cassette is exhausted", async () => {
    using repo = makeRepo(start);
    const agent = replayAgent(await record(repo));
    await agent.run(ask(repo, "fixer"), never);
    expect(await agent.run(ask(repo, "fixer"), never)).toMatchObject({
      status: "failed",
      text: "",
      error: expect.stringContaining("has no recorded run left: all 1 are used"),
    });
  });

  test("when the role is another, and then nothing is edited", async () => {
    using repo = makeRepo(start);
    const run = await replayAgent(await record(repo)).run(ask(repo, "reviewer"), never);
    expect(run).toMatchObject({
      status: "failed",
      error: expect.stringContaining("recorded for the role fixer, not reviewer"),
    });
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  test("when the prompt is another, but only if it is strict", async () => {
    using repo = makeRepo(start);
    const path = await record(repo);
    expect(await replayAgent(path, { strict: true }).run(ask(repo, "fixer", "q"), never)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("another prompt"),
    });
    expect(await replayAgent(path, { strict: true }).run(ask(repo, "fixer", "p"), never)).toMatchObject({
      status: "finished",
    });
    expect(await replayAgent(path).run(ask(repo, "fixer", "q"), never)).toMatchObject({ status: "finished" });
  });

  test("when a recorded edit leads out of the work tree", async () => {
    using repo = makeRepo(start);
    const path = await record(repo);
    writeFileSync(path, readFileSync(path, "utf8").replace('"path": "a"', '"path": "../escaped"'));
    const run = await replayAgent(path).run(ask(repo, "fixer"), never);
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining("not a path inside the work tree") });
    expect(() => lstatSync(join(repo.dir, "../escaped"))).toThrow();
  });

  test.for([
    { damage: "cut in the middle", spoil: (text: string) => text.slice(0, text.length / 2), says: "is not JSON" },
    { damage: "emptied", spoil: () => "", says: "is not JSON" },
    {
      damage: "of another version",
      spoil: (text: string) => text.replace('"version": 1', '"version": 2'),
      says: "version 2",
    },
    {
      damage: "without a status",
      spoil: (text: string) => text.replace(/"status": .*\n/, ""),
      says: 'runs[0] needs the key "status"',
    },
    {
      damage: "with an unknown status",
      spoil: (text: string) => text.replace('"finished"', '"ok"'),
      says: "runs[0].status must be",
    },
    { damage: "with a list as its whole", spoil: () => "[]", says: "cassette must be an object" },
  ])("when the cassette is $damage", async ({ spoil, says }) => {
    using repo = makeRepo(start);
    const path = await record(repo);
    writeFileSync(path, spoil(readFileSync(path, "utf8")));
    const run = await replayAgent(path).run(ask(repo, "fixer"), never);
    expect(run).toMatchObject({ status: "failed", text: "", error: expect.stringContaining(says) });
  });

  test("when there is no cassette", async () => {
    using repo = makeRepo(start);
    expect(await replayAgent("/no/such.json").run(ask(repo, "fixer"), never)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("record one first"),
    });
  });
});

import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { marked } from "@anneal/system/processes/processes";
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { describe, expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";
import type { AgentEvent, AgentRequest, AgentRun } from "../../ports.ts";
import { agentContract, type PlannedRun } from "../../testing/agent-contract.ts";
import { type AcpSetup, acpAgent } from "./index.ts";
import type { Act, StandInRun } from "./testing/stand-in.ts";
import { standInAgent } from "./testing/stand-in-agent.ts";

const probe = await probeSandbox();
if (probe.state !== "works") console.warn(`SKIPPED: ACP agents as reviewers, because ${probe.reason}`);
const boxed = probe.state === "works";

const never = new AbortController().signal;

interface Played extends AgentRun {
  events: AgentEvent[];
}

interface Playing extends Partial<AgentRequest> {
  setup?: Partial<AcpSetup>;
  /** Our own PATH while it runs. */
  path?: string;
}

async function play(
  run: StandInRun | Act[],
  check: (played: Played, repo: TestRepo, folder: string) => void | Promise<void>,
  { role = "reviewer", setup = {}, path, ...over }: Playing = {},
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-acp-")));
  using repo = makeRepo({ a: "1\n2\n3\n", ".gitignore": "ignored\n" });
  writeFileSync(join(repo.dir, "ignored"), "as it was");
  const events: AgentEvent[] = [];
  try {
    const agent = standInAgent([Array.isArray(run) ? { acts: run } : run], folder, setup);
    const request = { role, prompt: "Look at this.", cwd: repo.dir, limits: { timeoutMs: 60_000 } };
    const usual = process.env.PATH;
    if (path !== undefined) process.env.PATH = path;
    const running = agent.run({ ...request, ...over, onEvent: (event) => events.push(event) }, never);
    const result = await running.finally(() => (process.env.PATH = usual));
    await check({ ...result, events }, repo, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.runIf(boxed)("in a sandbox", () => {
  agentContract("acp", (plan, folder) => standInAgent(plan.map(runOf), folder), { hangs: "can" });
});

function runOf({ answer, end, writes }: PlannedRun): StandInRun {
  const acts: Act[] = [...(writes === undefined ? [] : [{ write: writes }]), { say: answer }];
  if (end === "finished") return { acts };
  if (end === "hang") return { acts: [{ hang: true }] };
  return { acts: [...acts, { exit: end === "crash" ? 3 : 0 }] };
}

describe.runIf(boxed)("what an ACP agent tells", () => {
  test("its words, tools and their ends arrive in order, and its answer is what it said after the last tool", () =>
    play(
      [
        { think: "hm" },
        { say: "I will read first.\n" },
        { tool: { id: "1", kind: "read", title: "Read a" } },
        { done: "1" },
        { say: "APPR" },
        { say: "OVED" },
      ],
      ({ status, text, events }) => {
        expect({ status, text }).toEqual({ status: "finished", text: "APPROVED" });
        expect(events).toEqual([
          { kind: "note", text: "hm" },
          { kind: "text", text: "I will read first.\n" },
          { kind: "tool", name: "read", detail: "Read a" },
          { kind: "result", name: "read", detail: "completed: Read a" },
          { kind: "text", text: "APPROVED" },
        ]);
      },
    ));

  test("a prompt of a megabyte arrives whole", () =>
    play([{ say: "{prompt}" }], ({ text }) => expect(text).toBe("1000000"), { prompt: "x".repeat(1_000_000) }));

  test.for<{ what: string; run: StandInRun; usage: object }>([
    {
      what: "with what came from the cache apart",
      run: {
        acts: [],
        usage: { totalTokens: 22, inputTokens: 10, outputTokens: 5, cachedReadTokens: 4, cachedWriteTokens: 3 },
      },
      usage: { inputTokens: 17, cachedInputTokens: 4, outputTokens: 5 },
    },
    {
      what: "with what came from the cache in it",
      run: { acts: [], usage: { totalTokens: 15, inputTokens: 10, outputTokens: 5, cachedReadTokens: 4 } },
      usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 5 },
    },
    {
      what: "as Gemini sends it along",
      run: { acts: [], meta: { quota: { token_count: { input_tokens: 7, output_tokens: 2 } } } },
      usage: { inputTokens: 7, outputTokens: 2 },
    },
    { what: "with a price", run: { acts: [], cost: { amount: 0.25, currency: "USD" } }, usage: { costUsd: 0.25 } },
    { what: "with a price that nobody asks", run: { acts: [], cost: { amount: 1e308, currency: "USD" } }, usage: {} },
    { what: "with a price in other money", run: { acts: [], cost: { amount: 1, currency: "EUR" } }, usage: {} },
    { what: "that makes no sense", run: { acts: [], usage: { inputTokens: -1, outputTokens: "many" } }, usage: {} },
  ])("usage $what is normalised", ({ run, usage }) => play(run, (played) => expect(played.usage).toEqual(usage)));

  test("keys are in no event, error or answer, and only those that it was given reach it", () =>
    play(
      [
        { env: "GIVEN_API_KEY" },
        { say: "\n" },
        { env: "OTHER_API_KEY" },
        { fail: { code: -32603, message: "k-0123456789" } },
      ],
      (played) => {
        const text = played.events.map((event) => ("text" in event ? event.text : "")).join("");
        expect(text).toBe("[redacted]\n(unset)");
        expect(JSON.stringify(played)).not.toContain("k-0123456789");
      },
      { setup: { env: { GIVEN_API_KEY: "k-0123456789" } } },
    ));
});

describe.runIf(boxed)("an ACP agent that does not finish", () => {
  test.for<{ what: string; run: StandInRun; expected: object }>([
    { what: "max_tokens", run: { acts: [{ say: "APPROVED" }], stop: "max_tokens" }, expected: { status: "failed" } },
    { what: "max_turn_requests", run: { acts: [], stop: "max_turn_requests" }, expected: { status: "failed" } },
    { what: "a refusal", run: { acts: [{ say: "APPROVED" }], stop: "refusal" }, expected: { status: "failed" } },
    { what: "cancelled", run: { acts: [], stop: "cancelled" }, expected: { status: "cancelled" } },
    { what: "a reason of its own", run: { acts: [], stop: "whim" }, expected: { status: "failed" } },
    { what: "no login", run: { acts: [], auth: "required" }, expected: { status: "failed", lasting: true } },
    {
      what: "401 as the code",
      run: { acts: [{ fail: { code: 401, message: "bad key" } }] },
      expected: { status: "failed", lasting: true, error: expect.stringContaining("Sign in") },
    },
    {
      what: "401 beside the words",
      run: { acts: [{ fail: { code: -32603, message: "no", data: { error: { statusCode: 401 } } } }] },
      expected: { status: "failed", lasting: true },
    },
    {
      what: "429 as the code",
      run: { acts: [{ fail: { code: 429, message: "slow down, try again in 3 s" } }] },
      expected: { status: "failed", rateLimited: { retryAfterMs: 3_000 } },
    },
    {
      what: "500 in words",
      run: { acts: [{ fail: { code: -32603, message: "Internal error", data: { details: "status 500: no" } } }] },
      expected: { status: "failed", rateLimited: { retryAfterMs: null } },
    },
    {
      what: "overload in words",
      run: { acts: [{ fail: { code: -32603, message: "Overloaded" } }] },
      expected: { status: "failed", rateLimited: { retryAfterMs: null } },
    },
    {
      what: "another error",
      run: { acts: [{ fail: { code: -32603, message: "odd" } }] },
      expected: { status: "failed" },
    },
    {
      what: "an exit",
      run: { acts: [{ complain: "it broke\n" }, { exit: 4 }] },
      expected: { status: "failed", error: expect.stringMatching(/4.*it broke/) },
    },
  ])("because of $what is $expected.status", ({ run, expected }) =>
    play(run, ({ lasting, rateLimited, ...played }) => {
      expect({ ...played, lasting, rateLimited }).toMatchObject(expected);
      expect(played.error).toMatch(/./);
      expect([lasting, rateLimited !== undefined]).toEqual([
        "lasting" in expected ? true : undefined,
        "rateLimited" in expected,
      ]);
      expect(played.text).toBe("");
    }),
  );

  test("for the noise on its output is not failed by that alone", () =>
    play([{ raw: "a banner\n[1]\n42\n{}\n" }, { say: "fine" }], ({ status, text }) =>
      expect({ status, text }).toEqual({ status: "finished", text: "fine" }),
    ));

  test.for<{ status: string; last: Act }>([
    { status: "finished", last: { say: "x" } },
    { status: "failed", last: { exit: 1 } },
    { status: "timed-out", last: { hang: true } },
  ])("or does, with $status, is gone with everything that it started", async ({ status, last }) => {
    const mark = `stand-in-${randomUUID()}`;
    const env = { STAND_IN: mark };
    const limits = { timeoutMs: 60_000, silenceMs: 5_000 };
    await play(
      [{ leave: "sleep" }, last],
      async (played) => {
        expect(played.status).toBe(status);
        await expect.poll(() => marked(mark), { timeout: 20_000 }).toEqual([]);
      },
      { limits, setup: { env } },
    );
  });

  test("because there is no such program is a thing to mend", async () => {
    using repo = makeRepo({ a: "1\n" });
    const agent = acpAgent({ command: ["no-such-acp-agent"], name: "mine" });
    for (const role of ["reviewer", "fixer"] as const) {
      const run = await agent.run({ role, prompt: "x", cwd: repo.dir, limits: { timeoutMs: 60_000 } }, never);
      expect(run).toMatchObject({
        status: "failed",
        lasting: true,
        error: expect.stringContaining("no-such-acp-agent"),
      });
    }
  });
});

describe.runIf(boxed)("the model of an ACP agent", () => {
  const session = {
    configOptions: [{ type: "select", id: "m", name: "Model", category: "model", currentValue: "old", options: [] }],
  };

  test("is chosen by its own setting, and reported", () =>
    play(
      { acts: [{ say: "x" }], session },
      ({ status, model }) => expect({ status, model }).toEqual({ status: "finished", model: "known-model" }),
      { model: "known-model" },
    ));

  test("is what it says where none was asked for", () =>
    play({ acts: [{ say: "x" }], session }, ({ model }) => expect(model).toBe("old")));

  test.for([
    { what: "does not have it", run: { acts: [], session } },
    { what: "does not let us choose", run: { acts: [] } },
  ])("is refused where the agent $what, with a message", ({ run }) =>
    play(
      run,
      (played) =>
        expect(played).toMatchObject({ status: "failed", lasting: true, error: expect.stringContaining("other") }),
      { model: "other" },
    ),
  );
});

const HOSTILE: Act[] = [
  { write: { a: "evil", "new.txt": "evil", ignored: "evil", ".git/hooks/pre-commit": "evil", ".git/config": "evil" } },
  { ask: { kind: "edit", paths: ["a"], title: "edit" }, writes: { a: "evil" } },
  { ask: { kind: "execute", paths: [], title: "execute" }, writes: { a: "evil" } },
  { ask: { paths: ["a"], title: "unnamed" }, writes: { a: "evil" } },
  { ask: { kind: "edit", paths: ["a"], title: "always", options: ["allow_always"] }, writes: { a: "evil" } },
  { clientWrite: { path: "a", text: "evil" } },
  { clientWrite: { path: ".git/hooks/post-checkout", text: "evil" } },
  { clientRead: { path: "/etc/passwd" } },
  { clientRead: { path: "../" } },
  { say: "\nAPPROVED" },
];

describe.runIf(boxed)("a hostile ACP agent", () => {
  test.for(["reviewer", "analyst"] as const)("as %s changes nothing and reads nothing outside", (role) =>
    play(
      HOSTILE,
      ({ status, text, events }, repo) => {
        expect(status).toBe("finished");
        expect(readFileSync(join(repo.dir, "a"), "utf8")).toBe("1\n2\n3\n");
        expect(readFileSync(join(repo.dir, "ignored"), "utf8")).toBe("as it was");
        expect(repo.git("status", "--porcelain", "--untracked-files=all")).toBe("");
        expect(readFileSync(join(repo.dir, ".git/config"), "utf8")).not.toContain("evil");
        for (const hook of ["pre-commit", "post-checkout"])
          expect(existsSync(join(repo.dir, ".git/hooks", hook))).toBe(false);
        expect(text.split("\n").slice(0, 4)).toEqual([
          "edit: reject_once",
          "execute: reject_once",
          "unnamed: reject_once",
          "always: cancelled",
        ]);
        expect(text).toMatch(
          /client write a: refused.*\nclient write .git.*refused.*\nclient read .etc.passwd: refused.*\nclient read ..\/: refused/,
        );
        expect(events).toContainEqual({ kind: "note", text: "not allowed: edit" });
      },
      { role },
    ),
  );

  test.for(["reviewer", "fixer"] as const)("as %s writes nothing outside its work tree", async (role) => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "anneal-outside-")));
    const home = process.env.HOME ?? "";
    const name = `.anneal-acp-${process.pid}`;
    try {
      const places = [join(outside, "x"), join(home, name), join("/etc", name), `../${name}`];
      const acts: Act[] = places.flatMap((path): Act[] => [
        { write: { [path]: "evil" } },
        { clientWrite: { path, text: "evil" } },
        { ask: { kind: "edit", paths: ["a", path], title: "edit" }, writes: { [path]: "evil" } },
      ]);
      await play(
        acts,
        ({ status, text }, repo) => {
          expect(status).toBe("finished");
          expect(text).not.toMatch(/allow|: ok/);
          for (const path of places.slice(0, 3)) expect(existsSync(path)).toBe(false);
          expect(existsSync(join(repo.dir, "..", name))).toBe(false);
        },
        { role },
      );
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  test("as fixer changes its work tree and nothing of git's own", () =>
    play(
      [
        { ask: { kind: "edit", paths: ["a"], title: "edit" }, writes: { a: "2\n" } },
        { ask: { kind: "edit", paths: [".git/hooks/pre-commit"], title: "hook" } },
        { ask: { kind: "edit", paths: [], title: "nowhere" } },
        { ask: { kind: "execute", paths: [], title: "run" } },
        { ask: { kind: "fetch", paths: [], title: "fetch" } },
        { clientWrite: { path: "new/deep/b.txt", text: "b\n" } },
        { clientWrite: { path: ".git/hooks/pre-commit", text: "evil" } },
        { clientWrite: { path: ".GIT/hooks/pre-commit", text: "evil" } },
        { write: { ".git/hooks/pre-commit": "evil", ".git/config": "evil" } },
      ],
      ({ text }, repo) => {
        expect(text.split("\n").slice(0, 6)).toEqual([
          "edit: allow_once",
          "hook: reject_once",
          "nowhere: reject_once",
          "run: allow_once",
          "fetch: reject_once",
          "client write new/deep/b.txt: ok ",
        ]);
        expect(repo.git("status", "--porcelain", "--untracked-files=all")).toBe(" M a\n?? new/deep/b.txt");
        expect(existsSync(join(repo.dir, ".git/hooks/pre-commit"))).toBe(false);
        expect(readFileSync(join(repo.dir, ".git/config"), "utf8")).not.toContain("evil");
      },
      { role: "fixer" },
    ));

  test("gets no other answer from a lie about the kind of a tool than the right to read", () =>
    play([{ ask: { kind: "read", paths: ["a"], title: "read" }, writes: { a: "evil" } }], ({ text }, repo) => {
      expect(text).toBe("read: allow_once\n");
      expect(readFileSync(join(repo.dir, "a"), "utf8")).toBe("1\n2\n3\n");
    }));
});

describe.runIf(boxed)("a shut-in ACP agent", () => {
  test("reads its login in the home folder and cannot change it, and keeps its state only where that was allowed", async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "anneal-home-")));
    try {
      for (const folder of [".mine", "kept"]) mkdirSync(join(home, folder));
      writeFileSync(join(home, ".mine/login"), "the-login");
      writeFileSync(join(home, "diary"), "private");
      const login = join(home, ".mine/login");
      const acts: Act[] = [
        { write: { [login]: "evil", [join(home, ".mine/state")]: "s", [join(home, "kept/state")]: "s" } },
        { cat: login },
        { cat: join(home, "diary") },
      ];
      const setup = { env: { HOME: home }, readable: [login], writable: [join(home, "kept")] };
      await play(
        acts,
        ({ text }) => {
          expect(text).toMatch(/^the-login\n\(ENOENT.*\)\n$/);
          expect(readFileSync(login, "utf8")).toBe("the-login");
          expect(existsSync(join(home, ".mine/state"))).toBe(false);
          expect(readFileSync(join(home, "kept/state"), "utf8")).toBe("s");
        },
        { setup },
      );
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  test("in a linked work tree sees the history of its repository", async () => {
    using repo = makeRepo({ a: "1\n" });
    const tree = `${repo.dir}-tree`;
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-acp-")));
    try {
      repo.git("worktree", "add", "--quiet", tree, "-b", "other");
      const agent = acpAgent({ command: ["sh", "-c", "git log --format=%s >&2; exit 9"] });
      const run = await agent.run({ role: "reviewer", prompt: "x", cwd: tree, limits: { timeoutMs: 60_000 } }, never);
      expect(run.error).toMatch(/exit code 9\): first/);
    } finally {
      rmSync(tree, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("where nothing can be shut in", () => {
  const without = { path: "/nowhere" };

  test.for(["reviewer", "analyst"] as const)("a %s is refused before it starts, and told what to do", (role) =>
    play(
      [{ write: { a: "evil" } }],
      (played, repo) => {
        const error = expect.stringMatching(/bubblewrap.*unsandboxed/);
        expect(played).toMatchObject({ status: "failed", lasting: true, error });
        expect(readFileSync(join(repo.dir, "a"), "utf8")).toBe("1\n2\n3\n");
      },
      { ...without, role },
    ),
  );

  test("a reviewer runs where that was allowed, and is still answered as one", () =>
    play(
      [{ ask: { kind: "edit", paths: ["a"], title: "edit" } }, { clientWrite: { path: "a", text: "evil" } }],
      ({ status, text }, repo) => {
        expect(status).toBe("finished");
        expect(text).toMatch(/edit: reject_once\nclient write a: refused/);
        expect(readFileSync(join(repo.dir, "a"), "utf8")).toBe("1\n2\n3\n");
      },
      { ...without, setup: { unsandboxed: "allowed" } },
    ));

  test("a fixer runs, but may not start programs", () =>
    play(
      [
        { ask: { kind: "execute", paths: [], title: "run" } },
        { ask: { kind: "edit", paths: ["a"], title: "edit" }, writes: { a: "2\n" } },
      ],
      ({ text }, repo) => {
        expect(text).toBe("run: reject_once\nedit: allow_once\n");
        expect(readFileSync(join(repo.dir, "a"), "utf8")).toBe("2\n");
      },
      { ...without, role: "fixer" },
    ));
});

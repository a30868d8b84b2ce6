import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { read } from "@anneal/core/read";
import { answerSchema } from "@anneal/core/review";
import { describe, expect, test } from "vitest";
import { signed } from "../../../core/src/read/testing/sign-off.ts";
import { makeRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import type { Agent, AgentRequest } from "../ports.ts";

/** What an agent under test is made to do in its next run. */
export interface PlannedRun {
  role: AgentRequest["role"];
  answer: string;
  end: "finished" | "crash" | "no-terminal-event" | "hang";
  /** Files that it writes, by path. */
  writes?: Record<string, string>;
  /** Where the agent has a field for structured answers: the answer stands there, letter by letter. */
  structured?: true;
}

export interface ContractOptions {
  /** Whether the agent takes time at all, and so can be made to hang; a replay cannot. */
  hangs: "can" | "cannot";
  /** Whether it can change files; one that cannot is asked to say so. */
  writes?: "can" | "cannot";
  /** `none`: whatever model it is asked for means nothing to it. */
  models?: "some" | "none";
}

/** What holds for every agent. `make` gives one that will behave as planned; `folder` is there for its own files. */
export function agentContract(
  name: string,
  make: (plan: PlannedRun[], folder: string) => Agent | Promise<Agent>,
  { hangs, writes = "can", models = "some" }: ContractOptions,
): void {
  const never = new AbortController().signal;
  const reviewer = { role: "reviewer", end: "finished" } as const;

  async function within(plan: PlannedRun[], check: (agent: Agent, repo: TestRepo) => Promise<void>): Promise<void> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-agent-")));
    using repo = makeRepo({ a: "1\n" });
    try {
      await check(await make(plan, folder), repo);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  describe(`${name} keeps the agent contract`, () => {
    test("a finished run gives the answer as text, and usage", () =>
      within([{ ...reviewer, answer: "all is well é\n" }], async (agent, repo) => {
        const run = await agent.run(request(repo, "reviewer"), never);
        expect(run).toMatchObject({ status: "finished", text: "all is well é\n", usage: expect.any(Object) });
        expect(run.error).toBeUndefined();
        expect(repo.git("status", "--porcelain")).toBe("");
      }));

    test("runs answer in the order of the plan", () =>
      within(
        [
          { ...reviewer, answer: "first" },
          { ...reviewer, answer: "second" },
        ],
        async (agent, repo) => {
          const texts = [
            await agent.run(request(repo, "reviewer"), never),
            await agent.run(request(repo, "reviewer"), never),
          ];
          expect(texts.map((run) => run.text)).toEqual(["first", "second"]);
        },
      ));

    test.for([
      { what: "one verdict is read", answer: WHOLE, report: { status: "complete", claim: "pass" } },
      {
        what: "two verdicts in one object are no answer, whichever comes last",
        answer: WHOLE.replace("{", '{"verdict": "fail", '),
        report: { status: "inconclusive", reason: expect.stringMatching(/"verdict" twice/) },
      },
      {
        what: "nor is one with two equal keys further inside",
        answer: WHOLE.replace("[]", '[{"severity": "high", "severity": "low"}]'),
        report: { status: "inconclusive", reason: expect.stringMatching(/"severity" twice/) },
      },
    ])("as a structured answer $what", ({ answer, report }) =>
      within([{ ...reviewer, answer, structured: true }], async (agent, repo) => {
        const schema = answerSchema("verdict-json");
        const run = await agent.run(
          { ...request(repo, "reviewer"), ...(schema === undefined ? {} : { schema }) },
          never,
        );
        const finished = { ...run, finished: true };
        const answer = run.status === "finished" ? read("verdict-json", finished) : undefined;
        expect(answer ?? { status: "inconclusive", reason: run.error }).toMatchObject(report);
      }),
    );

    test.skipIf(models === "none").for(["--attach=http://127.0.0.1:1/", "-m", "a b", "a\nb", "", "x".repeat(201)])(
      "%j as a model is handed to nobody",
      (model) =>
        within([{ ...reviewer, answer: WHOLE }], async (agent, repo) => {
          const run = await agent.run({ ...request(repo, "reviewer"), model }, never);
          expect(run).toMatchObject({
            status: "failed",
            lasting: true,
            error: expect.stringContaining("model's name consists of"),
          });
        }),
    );

    test.runIf(writes === "cannot")("as fixer it fails at once, and says who can be one", () =>
      within([], async (agent, repo) => {
        const run = await agent.run(request(repo, "fixer"), never);
        expect(run).toMatchObject({ status: "failed", lasting: true, error: expect.stringContaining("claude") });
      }),
    );

    test.skipIf(writes === "cannot")(
      "a fixer's files are in the work tree when the run is over, and not committed",
      () =>
        within(
          [{ role: "fixer", end: "finished", answer: "done", writes: { a: "2\n", "new/b c": "b\n" } }],
          async (agent, repo) => {
            const head = repo.git("rev-parse", "HEAD");
            expect(await agent.run(request(repo, "fixer"), never)).toMatchObject({ status: "finished" });
            expect(readFileSync(join(repo.dir, "a"), "utf8")).toBe("2\n");
            expect(readFileSync(join(repo.dir, "new/b c"), "utf8")).toBe("b\n");
            expect(repo.git("rev-parse", "HEAD")).toBe(head);
          },
        ),
    );

    test.for(["crash", "no-terminal-event"] as const)(
      "a run that ends in %s is failed, whatever it said before",
      (end) =>
        within([{ role: "reviewer", answer: "APPROVED", end }], async (agent, repo) => {
          const run = await agent.run(request(repo, "reviewer"), never);
          expect(run).toMatchObject({ status: "failed", error: expect.stringMatching(/./) });
        }),
    );

    test("a run that is cancelled before it starts changes nothing", () =>
      within([{ role: "fixer", end: "finished", answer: "done", writes: { b: "b" } }], async (agent, repo) => {
        const run = await agent.run(request(repo, "fixer"), AbortSignal.abort());
        expect(run).toMatchObject({ status: "cancelled", error: expect.stringMatching(/./) });
        expect(existsSync(join(repo.dir, "b"))).toBe(false);
        expect(readdirSync(repo.dir).sort()).toEqual([".git", "a"]);
      }));

    test.skipIf(hangs === "cannot")("a run that hangs is cancelled by the signal", () =>
      within([{ role: "reviewer", answer: "APPROVED", end: "hang" }], async (agent, repo) => {
        const stop = new AbortController();
        const run = agent.run(request(repo, "reviewer"), stop.signal);
        stop.abort();
        expect(await run).toMatchObject({ status: "cancelled" });
      }),
    );

    test.skipIf(hangs === "cannot").for(["timeoutMs", "silenceMs"])("a run that hangs is timed out by %s", (limit) =>
      within([{ role: "reviewer", answer: "APPROVED", end: "hang" }], async (agent, repo) => {
        const limits = { timeoutMs: 60_000, [limit]: 20 };
        const run = await agent.run({ ...request(repo, "reviewer"), limits }, never);
        expect(run).toMatchObject({ status: "timed-out", error: expect.stringMatching(/./) });
      }),
    );
  });
}

const WHOLE = `{"verdict": "pass", "issues": [], "summary": "Nothing to say.", "sign_off": ${JSON.stringify(signed)}}`;

function request(repo: TestRepo, role: AgentRequest["role"]): AgentRequest {
  return { role, prompt: "Look at this.", cwd: repo.dir, limits: { timeoutMs: 60_000 } };
}

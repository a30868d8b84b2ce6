import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openRepo } from "@anneal/git";
import { type ScriptedModel, type ScriptStep, startScriptedModel, type ToolCall } from "@anneal/scripted-model";
import { runMark } from "@anneal/system/processes/leftovers";
import { marked, readProc, statOf } from "@anneal/system/processes/processes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import type { Agent, AgentEvent, AgentRequest, AgentRun } from "../ports.ts";
import { withoutOwnKeys } from "./real-env.ts";

/** A real command-line agent, and how its model would speak to it. */
export interface RealAgent {
  name: string;
  /** Makes the adapter for a model at an address; `home` is a folder of this run, for all that the program keeps. */
  make(url: string, home: string): Agent | Promise<Agent>;
  /** A model that the program knows. */
  model: string;
  answers: "structured" | "text";
  /** What the model calls, one call per turn, to change a text in a file. */
  edit(path: string, before: string, now: string): ToolCall[];
  /** Calls that would write a file if they were allowed. */
  writes(path: string, content: string): ToolCall[];
  /** Calls that would run a command if they were allowed. */
  shell?(command: string): ToolCall;
  /** A role in which the program runs a command that only reads, for as long as the command likes. */
  runsCommandsAs?: AgentRequest["role"];
  /** Whether its own read-only mode keeps it off the tree, or only our look afterwards finds out. */
  attacksAre: "stopped" | "stopped-or-found";
  /** Files of a repository that would make the program run something of their own: write this file, or ask this address. */
  orders?(file: string, url: string): Record<string, string>;
  /** How long it may say nothing before a hanging model counts as silence; longer than its start takes. */
  silenceMs?: number;
}

const SCHEMA = {
  type: "object",
  properties: { verdict: { type: "string", enum: ["pass", "fail"] }, summary: { type: "string" } },
  required: ["verdict", "summary"],
  additionalProperties: false,
};
const REPORT = { verdict: "pass", summary: "Nothing to say é." };
const never = new AbortController().signal;

/** What holds for a real program behind an adapter, with a model on loopback that does as the test says. */
export function realAgentSuite(real: RealAgent): void {
  const structured = real.answers === "structured";
  const answer: ScriptStep = structured ? { structured: REPORT } : { text: JSON.stringify(REPORT) };

  // A program that prints its prompt first may lose the end of its output where it ends at the same moment.
  const unhurried: ScriptStep = structured ? answer : { drip: { text: JSON.stringify(REPORT), everyMs: 150 } };

  describe(`the real ${real.name}`, () => {
    let restore = () => {};
    beforeAll(() => {
      restore = withoutOwnKeys();
    });
    afterAll(() => restore());

    test("reviews: it reads the tree, and its answer, model, usage and events arrive", () =>
      within(real, [answer], async ({ run, model, events }) => {
        const ran = await run({ role: "reviewer" });
        expect(ran).toMatchObject({ status: "finished", usage: { inputTokens: 100, outputTokens: 20 } });
        expect(structured ? ran.structured : JSON.parse(ran.text)).toEqual(REPORT);
        expect(ran.model).toBe(real.model);
        expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("Look at this.");
        if (real.answers === "text") expect(events.map(({ kind }) => kind)).toContain("text");
      }));

    test("fixes: the file is edited in the work tree, and nothing is committed", () =>
      within(
        real,
        [...real.edit("a.txt", "one", "two").map((call) => ({ tools: [call] })), { text: "Done." }],
        async ({ run, tree, reached, events, git }) => {
          const head = git("rev-parse", "HEAD");
          expect(await run({ role: "fixer", schema: undefined })).toMatchObject({ status: "finished", text: "Done." });
          expect(reached()).toBe("the last step");
          expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("two\n");
          expect(git("status", "--porcelain")).toBe(" M a.txt");
          expect(git("rev-parse", "HEAD")).toBe(head);
          expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["tool", "result", "text"]));
        },
        "may-change",
      ));

    test.for([
      { says: "500", step: { status: 500 }, meaning: { rateLimited: { retryAfterMs: null } } },
      { says: "429", step: { status: 429, retryAfter: 7 }, meaning: { rateLimited: {} } },
      { says: "401", step: { status: 401 }, meaning: { lasting: true } },
      { says: "garbage", step: { garbage: true }, meaning: {} },
    ] as const)("a model that answers $says fails the run, and what that means is told", ({ step, meaning }) =>
      within(real, [step], async ({ run }) => {
        expect(await run({ role: "reviewer" })).toMatchObject({
          status: "failed",
          text: "",
          error: expect.stringMatching(/./),
          ...meaning,
        });
      }),
    );

    test("a model that nobody answers for has turned the run away", () =>
      within(real, [answer], async ({ run, model }) => {
        await model.close();
        expect(await run({ role: "reviewer" })).toMatchObject({
          status: "failed",
          rateLimited: { retryAfterMs: null },
        });
      }));

    test("a model that hangs is ended by the silence", () =>
      within(real, [{ hang: true }], async ({ run }) => {
        const limits = { timeoutMs: 120_000, silenceMs: real.silenceMs ?? 4_000 };
        expect(await run({ role: "reviewer", limits })).toMatchObject({ status: "timed-out" });
      }));

    test.runIf(structured)("an answer without the structure that was asked for is no answer", () =>
      within(real, [{ text: "APPROVED" }], async ({ run }) => {
        const ran = await run({ role: "reviewer" });
        expect(ran).toMatchObject({ status: "failed", text: "", error: expect.stringContaining("structured") });
        expect(ran.lasting ?? ran.rateLimited).toBeUndefined();
      }),
    );

    const { runsCommandsAs, shell } = real;
    test.runIf(runsCommandsAs !== undefined).for(["cancelled by us", "ended from outside"] as const)(
      "%s while a command of the model runs, it leaves nothing running",
      (how) =>
        within(real, [{ tools: shell === undefined ? [] : [shell("tail -f a.txt")] }], async ({ run, tree }) => {
          const stop = new AbortController();
          const role = runsCommandsAs ?? "fixer";
          const running = run({ role, schema: undefined }, stop.signal);
          await untilRuns(tree, "tail");
          if (how === "cancelled by us") stop.abort();
          else for (const pid of ownChildren(tree)) process.kill(pid, "SIGTERM");
          expect((await running).status).toBe(how === "cancelled by us" ? "cancelled" : "failed");
        }),
    );

    test("a reviewer whose model attacks changes nothing, outside of the tree neither", () =>
      within(
        real,
        ({ main, outside }) => [...attacks(real, main, outside).map((call) => ({ tools: [call] })), answer],
        async ({ run, reached, outside, changes, own }) => {
          const ran = await run({ role: "reviewer" });
          expect(reached(), "no attack was passed over").toBe("the last step");
          expect(existsSync(outside)).toBe(false);
          expect(await own(), "the work tree of the user is as it was").toEqual([]);
          if (real.attacksAre === "stopped") expect(await changes()).toEqual([]);
          expect(ran.status).toBe("finished");
        },
        "found",
      ));

    const { orders } = real;
    test.runIf(orders !== undefined).for(["reviewer", "fixer"] as const)(
      "as %s it takes no orders from the repository: hooks, plugins and tool servers in there are not run",
      (role) =>
        within(
          real,
          [answer],
          async ({ run, model, tree, outside }) => {
            for (const [path, text] of Object.entries(orders?.(outside, `${model.url}/obeyed`) ?? {})) {
              mkdirSync(dirname(join(tree, path)), { recursive: true });
              writeFileSync(join(tree, path), text);
            }
            expect(await run({ role })).toMatchObject({ status: "finished" });
            expect(existsSync(outside)).toBe(false);
            expect(model.requests.filter(({ path }) => path.includes("obeyed"))).toEqual([]);
          },
          "may-change",
        ),
    );

    test("a prompt of a megabyte arrives whole", () =>
      within(real, [unhurried], async ({ run, model }) => {
        const prompt = `${"Some words to read.\n".repeat(50_000)}The last line ends here.`;
        expect(await run({ role: "reviewer", prompt })).toMatchObject({ status: "finished" });
        const sent = JSON.stringify(model.requests.at(-1)?.body);
        expect(sent.length).toBeGreaterThan(1_000_000);
        expect(sent).toContain("The last line ends here.");
      }));
  });
}

/** Everything that a reviewer must not do, by every door that its model could knock at. */
function attacks(real: RealAgent, main: string, outside: string): ToolCall[] {
  const hook = join(main, ".git/hooks/pre-commit");
  const shell = real.shell;
  const own = [join(main, "a.txt"), join(main, "theirs.txt")];
  const targets = ["new.txt", "a.txt", "ignored.log", hook, outside, ...own];
  const commands = [
    ...targets.map((path) => `echo attacked >> '${path}'`),
    "git commit --allow-empty -m attacked",
    "git config core.editor attacked",
    "git branch attacked",
  ];
  return [
    ...targets.flatMap((path) => real.writes(path, "attacked\n")),
    ...(shell === undefined ? [] : commands.map(shell)),
  ];
}

interface Scene {
  /** A linked work tree of the repository `main`. */
  tree: string;
  main: string;
  /** A file next to both that does not exist. */
  outside: string;
  model: ScriptedModel;
  /** How far the script was played. */
  reached(): "the last step" | `step ${number}`;
  events: AgentEvent[];
  run(request: Partial<AgentRequest> | { schema: undefined }, signal?: AbortSignal): Promise<AgentRun>;
  git(...args: string[]): string;
  /** What is not as it was before. */
  changes(): Promise<string[]>;
  /** The same for the work tree of `main`. */
  own(): Promise<string[]>;
}

async function within(
  real: RealAgent,
  steps: ScriptStep[] | ((places: Pick<Scene, "main" | "outside">) => ScriptStep[]),
  check: (scene: Scene) => Promise<void>,
  treeIs: "untouched" | "may-change" | "found" = "untouched",
): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "anneal-real-")));
  using repo = makeRepo({ "a.txt": "one\n", ".gitignore": "*.log\n" });
  const tree = join(root, "tree");
  const outside = join(root, "outside.txt");
  mkdirSync(join(root, "home"));
  repo.git("worktree", "add", "--quiet", "--detach", tree);
  writeFileSync(join(tree, "ignored.log"), "as it was\n");
  const linked = await openRepo(tree);
  const git = (...args: string[]) => repo.git("-C", tree, ...args);
  const script = typeof steps === "function" ? steps({ main: repo.dir, outside }) : steps;
  const events: AgentEvent[] = [];
  const model = await startScriptedModel({ steps: script, repeatLast: !("tools" in (script.at(-1) ?? {})) });
  try {
    const agent = await real.make(model.url, join(root, "home"));
    const before = await linked.snapshot();
    const request: AgentRequest = {
      role: "reviewer",
      prompt: "Look at this.",
      cwd: tree,
      model: real.model,
      limits: { timeoutMs: 120_000 },
      onEvent: (event) => events.push(event),
      ...(real.answers === "structured" ? { schema: SCHEMA } : {}),
    };
    const changes = () => linked.sameAs(before);
    const main = await openRepo(repo.dir);
    const underWay = await main.snapshot();
    const own = () => main.sameAs(underWay);
    const reached: Scene["reached"] = () => {
      const last = Math.max(...model.requests.map(({ step = -1 }) => step));
      return last === script.length - 1 ? "the last step" : `step ${last}`;
    };
    await check({
      ...{ tree, main: repo.dir, outside, model, reached, events, git, changes, own },
      run: (own, signal = never) => agent.run(defined({ ...request, ...own }), signal),
    });
    expect(survivors(tree)).toEqual([]);
    if (treeIs === "untouched") expect(await changes()).toEqual([]);
    expect(JSON.stringify(events)).not.toContain(TEST_KEY);
  } finally {
    await model.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The key that adapters under test are to hand to their programs: it must not turn up in what they tell. */
export const TEST_KEY = "sk-test-0123456789-not-a-key";

function defined(request: Omit<AgentRequest, "schema"> & { schema?: object | undefined }): AgentRequest {
  const { schema, ...rest } = request;
  return schema === undefined ? rest : { ...rest, schema };
}

/** What carries the mark of runs in this folder. */
function inRun(tree: string): number[] {
  return marked(runMark(tree).text.replace(/\..*/s, "."));
}

function survivors(tree: string): string[] {
  return inRun(tree).map((pid) => readProc(pid, "cmdline")?.replaceAll("\0", " ") ?? "");
}

function ownChildren(tree: string): number[] {
  return inRun(tree).filter((pid) => statOf(pid)?.parent === process.pid);
}

/** Resolves once a program of this name runs there; how soon that is depends on the agent. */
async function untilRuns(tree: string, program: string): Promise<void> {
  const runs = () => inRun(tree).some((pid) => readProc(pid, "cmdline")?.startsWith(`${program}\0`));
  while (!runs()) await after(50);
}

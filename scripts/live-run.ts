// One review and one fix per agent, for `npm run test:live`, which asks first.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, AgentRun } from "../libs/adapters/src/ports.ts";
import { initRepo } from "../libs/git/src/index.ts";
import { openTestRepo } from "../libs/git/src/testing/make-repo.ts";

const AGENTS: Record<string, () => Promise<Agent>> = {
  claude: async () => (await import("../libs/adapters/src/agents/claude/index.ts")).claudeAgent(),
  codex: async () => (await import("../libs/adapters/src/agents/codex/index.ts")).codexAgent(),
};

const FILE = "sum.js";
const WRONG = "/** Adds two numbers. */\nexport const sum = (a, b) => a - b;\n";
const SCHEMA = {
  type: "object",
  properties: {
    verdict: { type: "string", enum: ["pass", "fail"] },
    issues: {
      type: "array",
      items: {
        type: "object",
        properties: { file: { type: "string" }, message: { type: "string" } },
        required: ["file", "message"],
        additionalProperties: false,
      },
    },
  },
  required: ["verdict", "issues"],
  additionalProperties: false,
};
const REVIEW = `Review the file ${FILE} in this folder. Does it do what its comment says? Answer with a verdict, pass or fail, and the issues.`;
const FIX = `In the file ${FILE} the function sum subtracts. Change it so that it adds, and change nothing else. Do not commit.`;
const LIMITS = { timeoutMs: 300_000 };

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(AGENTS, name));
if (unknown !== undefined) {
  console.error(`unknown agent "${unknown}"; known: ${Object.keys(AGENTS).join(", ")}`);
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : Object.keys(AGENTS)) {
  const agent = await AGENTS[name]?.();
  if (agent !== undefined) await tryOut(agent, asked.length > 0);
}

/** An agent that nobody named and that is not installed is passed over. */
async function tryOut(agent: Agent, isNamed: boolean): Promise<void> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-live-")));
  try {
    const repo = await initRepo(dir, { name: "Robin Example", email: "robin@example.com" });
    const { git, commit } = openTestRepo(dir);
    const head = commit({ [FILE]: WRONG }, "first");
    const before = await repo.snapshot();
    const ask = (rest: { role: "reviewer"; prompt: string; schema: object } | { role: "fixer"; prompt: string }) =>
      agent.run({ cwd: dir, limits: LIMITS, ...rest }, new AbortController().signal);
    const review = await ask({ role: "reviewer", prompt: REVIEW, schema: SCHEMA });
    if (!isNamed && review.lasting && review.error?.includes("cannot be started")) {
      return console.log(`- ${agent.name}: not installed, passed over`);
    }
    const touched = await repo.sameAs(before);
    tell(agent, "review", review, [
      [review.status === "finished", review.error ?? review.status],
      [verdictOf(review) === "fail", `it says ${JSON.stringify(review.structured ?? review.text).slice(0, 200)}`],
      [touched.length === 0, `it changed ${touched.join(", ")}`],
    ]);
    if (review.status !== "finished") return;
    const fix = await ask({ role: "fixer", prompt: FIX });
    tell(agent, "fix", fix, [
      [fix.status === "finished", fix.error ?? fix.status],
      [/a\s*\+\s*b|b\s*\+\s*a/.test(readFileSync(join(dir, FILE), "utf8")), `${FILE} does not add`],
      [git("rev-parse", "HEAD") === head, "it committed"],
    ]);
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

function verdictOf({ structured }: AgentRun): unknown {
  return typeof structured === "object" && structured !== null && "verdict" in structured ? structured.verdict : null;
}

function tell(agent: Agent, what: string, { usage, model }: AgentRun, expectations: [boolean, string][]): void {
  const wrong = expectations.filter(([isMet]) => !isMet).map(([, why]) => why);
  const { inputTokens = "?", outputTokens = "?", costUsd } = usage;
  const cost = costUsd === undefined ? "cost unknown" : `$${costUsd.toFixed(4)}`;
  const facts = `${model ?? "its own model"}, ${inputTokens} tokens in, ${outputTokens} out, ${cost}`;
  console.log(
    `${wrong.length === 0 ? "✓" : "✗"} ${agent.name} ${what} (${facts})${wrong.map((why) => `\n    ${why}`).join("")}`,
  );
  if (wrong.length > 0) process.exitCode = 1;
}

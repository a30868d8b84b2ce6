import { relative } from "node:path";
import { parseArgs } from "node:util";
import { type Initialised, initProject, projectAt } from "@anneal/engine/project";
import { harmlessLine, painter } from "../style.ts";

const help = `anneal init: make this repository ready for loops

  anneal init           makes .automaker/ with its settings, and says what it found
  anneal init --json    the same as data

It can be run again at any time: what is there already stays as it is.
`;

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: "boolean", default: false } } });
  const result = await initProject(await projectAt(process.cwd()));
  if (values.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else process.stdout.write(text(result));
  for (const problem of result.problems) process.stderr.write(`anneal init: ${harmlessLine(problem)}\n`);
  return result.problems.length === 0 ? 0 : 2;
}

function text(result: Initialised): string {
  const paint = painter(process.stdout);
  const { made, root, defaultBranch, detected } = result;
  const where = relative(process.cwd(), root) || ".";
  const row = (label: string, value: string) => `  ${label.padEnd(15)} ${harmlessLine(value)}`;
  const opening = made.length === 0 ? "This project is ready already." : `Made ${made.join(", ")}`;
  return [
    `${paint(["green", "bold"], "✔")} ${opening}${where === "." ? "" : ` (in ${harmlessLine(where)})`}`,
    "",
    row("default branch", defaultBranch ?? "none yet: make a first commit before you run a loop"),
    row("test command", proposed(result.testCommand, detected.tests[0], "testCommand")),
    row("set-up", proposed(result.setup, detected.setup.join(" && ") || undefined, "setup")),
    row("agents", result.withoutAgent.length === 0 ? "set" : `none for ${result.withoutAgent.join(", ")}`),
    "",
    ...nextSteps(result).map((line) => `  ${line}`),
    "",
  ].join("\n");
}

/** What was found is only proposed: a project's own user says what runs. */
function proposed(set: string | string[] | null, found: string | undefined, key: "testCommand" | "setup"): string {
  if (set !== null) return Array.isArray(set) ? set.join(key === "testCommand" ? " " : " && ") : set;
  const idle = key === "testCommand" ? "not set: no checks run" : "not set: none runs";
  return `${idle}; ${found === undefined ? "none found" : `found ${found}`}`;
}

function nextSteps({ withoutAgent, ...result }: Initialised): string[] {
  const agents =
    withoutAgent.length === 0
      ? []
      : ['Set agents in .automaker/settings.json ("agents"), or name them with anneal run --agent NAME.'];
  return [...settingLines(result), ...agents, 'Next: anneal add "what you want"   then   anneal run --all'];
}

function settingLines({ testCommand, setup, detected }: Omit<Initialised, "withoutAgent">): string[] {
  const [found] = detected.tests;
  const missing = {
    ...(testCommand === null && found !== undefined ? { testCommand: found } : {}),
    ...(setup === null && detected.setup.length > 0 ? { worktree: { setup: detected.setup } } : {}),
  };
  const lines = Object.entries(missing).map(([key, value]) => `  "${key}": ${harmlessLine(JSON.stringify(value))}`);
  return lines.length === 0
    ? []
    : ["To have what was found run, add to .automaker/settings.json:", lines.join(",\n  ")];
}

export const command = { help, run };

import { relative } from "node:path";
import { parseArgs } from "node:util";
import { agree, shownPrograms } from "@anneal/engine/consent";
import { type Initialised, initProject, projectAt, setProposed } from "@anneal/engine/project";
import { isAsking } from "../project/ask.ts";
import { counted } from "../project/output.ts";
import { harmlessLine, painter } from "../style.ts";
import { askAbout } from "../trust/asking.ts";
import { consenting } from "../trust/consenting.ts";

const help = `anneal init: set up this repository

  anneal init           create .automaker/ with its settings, show what was found, and on a terminal ask whether to use it
  anneal init --json    the same as data

You can run it again at any time: it never changes what is already there.
`;

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: "boolean", default: false } } });
  const repo = await projectAt(process.cwd());
  const result = await initProject(repo);
  if (values.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else process.stdout.write(text(result));
  for (const problem of result.problems) process.stderr.write(`anneal init: ${harmlessLine(problem)}\n`);
  if (result.problems.length > 0) return 2;
  await askOrTell(repo, result, values.json);
  return 0;
}

/** What was found and what the repository names already, in one question; where nobody can answer it, what to do. */
async function askOrTell(
  repo: Awaited<ReturnType<typeof projectAt>>,
  result: Initialised,
  json: boolean,
): Promise<void> {
  const missing = missingSettings(result);
  const asks = isAsking(json);
  const programs = await shownPrograms(repo, asks ? missing : {});
  const open = programs.filter(({ standing }) => standing !== "agreed");
  if (open.length === 0) return;
  if (!asks) {
    const some = counted(open.length, "program", "programs");
    process.stderr.write(
      `anneal init: the repository names ${some} that need your consent; review them with anneal trust\n`,
    );
    return;
  }
  const isNew = Object.keys(missing).length > 0;
  const where = isNew
    ? "Write this to .automaker/settings.json and allow these programs to run"
    : "Allow these programs to run";
  if (!(await askAbout(open, `${where}, with exactly this content? [y/N] `))) return;
  const consent = await consenting();
  if (isNew) await setProposed(repo, missing);
  await agree(repo, open, consent);
  process.stdout.write("Allowed. You will be asked again when any of this changes.\n");
}

function text(result: Initialised): string {
  const paint = painter(process.stdout);
  const { made, root, defaultBranch, detected } = result;
  const where = relative(process.cwd(), root) || ".";
  const row = (label: string, value: string) => `  ${label.padEnd(15)} ${harmlessLine(value)}`;
  const opening = made.length === 0 ? "This project is already set up." : `Made ${made.join(", ")}`;
  return [
    `${paint(["green", "bold"], "✔")} ${opening}${where === "." ? "" : ` (in ${harmlessLine(where)})`}`,
    "",
    row("default branch", defaultBranch ?? "none: make a first commit before you run a loop"),
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
  const idle = key === "testCommand" ? "not set: no checks run" : "not set: nothing runs";
  return `${idle}; ${found === undefined ? "none found" : `found ${found}`}`;
}

function nextSteps({ withoutAgent, ...result }: Initialised): string[] {
  const agents =
    withoutAgent.length === 0
      ? []
      : ['Set agents in .automaker/settings.json ("agents"), or name them with anneal run --agent NAME.'];
  return [...settingLines(result), ...agents, 'Next: anneal add "what you want"   then   anneal run --all'];
}

function missingSettings({ testCommand, setup, detected }: Omit<Initialised, "withoutAgent">) {
  const [found] = detected.tests;
  return {
    ...(testCommand === null && found !== undefined ? { testCommand: found } : {}),
    ...(setup === null && detected.setup.length > 0 ? { worktree: { setup: detected.setup } } : {}),
  };
}

function settingLines(result: Omit<Initialised, "withoutAgent">): string[] {
  const lines = Object.entries(missingSettings(result)).map(
    ([key, value]) => `  "${key}": ${harmlessLine(JSON.stringify(value))}`,
  );
  return lines.length === 0
    ? []
    : ["To use what was found, add this to .automaker/settings.json:", lines.join(",\n  ")];
}

export const command = { help, run };

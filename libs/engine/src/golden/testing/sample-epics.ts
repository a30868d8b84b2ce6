import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ticketLoop } from "@anneal/core/epics";
import type { EpicState } from "@anneal/types";
import { signed } from "../../../../core/src/read/testing/sign-off.ts";
import type { Files } from "../../../../git/src/testing/make-repo.ts";
import type { AutoResult, LoopNotification } from "../../project.ts";
import { iso, type Section, sections } from "./picture.ts";
import { type RunOptions, type SampleOptions, type SampleProject, sampleProject } from "./sample-project.ts";

export const EPIC = "limits";
const AT = `.epics/${EPIC}`;
export const STATE = `${AT}/artifacts/epic-state.json`;

export interface SampleTicket {
  after?: string[];
  critical?: boolean;
  criteria?: string[];
}

export type SampleTickets = Record<string, SampleTicket>;

/** An epic in files: the plan in YAML, and a text for every ticket. */
export function epicFiles(tickets: SampleTickets, more = ""): Files {
  const listed = Object.entries(tickets).map(
    ([name, { after = [], critical = true, criteria = [`${name} works`] }]) => `  - name: ${name}
    description: Build ${name}
    acceptance_criteria: ${JSON.stringify(criteria)}
    dependencies: [${after.join(", ")}]
    critical: ${critical}
`,
  );
  const texts = Object.keys(tickets).map((name) => [
    `${AT}/tickets/${name}.md`,
    `# Build ${name}\n\n## Description\n\nCalls are limited by ${name}.\n`,
  ]);
  const yaml = `name: ${EPIC}
description: Nobody calls too often
coordination_requirements:
  function_profiles:
    Limits: { allow: { arity: 1, intent: "Whether a call may go on" } }
${more}tickets:
${listed.join("")}`;
  return { [`${AT}/${EPIC}.epic.yaml`]: yaml, ...Object.fromEntries(texts) };
}

export const code = (name: string, body: string) => ({
  path: `src/${name}.js`,
  content: `export const ${name} = (call) => ${body};\n`,
});

/** An answer that reports on its criteria, as tickets ask for. */
export const reported = (text: string, ...evidence: (string | false)[]) => {
  const criteria = evidence.map((one, at) => ({
    criterion: at + 1,
    met: one !== false,
    evidence: one === false ? "It does not work." : one,
  }));
  const json = JSON.stringify({ acceptance_criteria: criteria });
  return `${text}\n\n## Completion Report\n\n\`\`\`json\n${json}\n\`\`\`\n`;
};

export const build = (name: string, body = "true") => ({
  role: "implementer",
  answer: reported(`Built ${name}.`, `src/${name}.js`),
  edits: [code(name, body)],
  usage: { inputTokens: 900, outputTokens: 100, costUsd: 0.25 },
});
export const revise = (name: string, body: string) => ({
  role: "fixer",
  answer: reported(`Revised ${name}.`, `src/${name}.js`),
  edits: [code(name, body)],
});

const WEIGHTS = {
  requirement_adherence: "critical",
  coordination_compliance: "critical",
  code_quality: "important",
  pattern_consistency: "important",
  test_quality: "important",
  security_performance: "moderate",
};

/** A reviewer's scorecard in seed 002's form: all dimensions at 95 and passing by default. */
export function scorecard(over: object = {}, scores: Partial<Record<keyof typeof WEIGHTS, unknown>> = {}) {
  return {
    ticket_id: "bucket",
    reviewed_at: "2026-01-09T14:22:00Z",
    reviewer: "code-review-agent",
    status: "pass",
    overall_score: 95,
    revision_count: 0,
    dimension_scores: Object.fromEntries(
      Object.entries(WEIGHTS).map(([name, weight]) => [name, { score: 95, weight, ...cell(scores, name) }]),
    ),
    findings: [],
    blocking_issues: [],
    revision_notes: null,
    approved: true,
    pass_criteria_met: {
      all_critical_dimensions_pass: true,
      no_blocking_issues: true,
      overall_score_above_threshold: true,
    },
    sign_off: signed,
    ...over,
  };
}

function cell(scores: Record<string, unknown>, name: string): object {
  return name in scores ? { score: scores[name] } : {};
}

/** Seed 002's form has no field for rulings, and blocking issues none for a file: its reviewer says the rest when it is asked. */
export const passRuling = (findings: number) => {
  const fixed = (_: unknown, index: number) => ({ finding: index + 1, ruling: "fixed", evidence: "It is limited" });
  const rulings = Array.from({ length: findings }, fixed);
  return {
    role: "reviewer",
    answer: scorecard(),
    again: { rulings: { rulings } },
    usage: { inputTokens: 2000, costUsd: 0.5 },
  };
};
export const pass = passRuling(1);

/** A review that sends a ticket back: one blocking issue, a low score and a remark. */
export const fail = (about: string) => ({
  role: "reviewer",
  answer: scorecard(
    {
      status: "fail",
      overall_score: 88,
      approved: false,
      findings: [
        {
          dimension: "test_quality",
          severity: "warning",
          file: "src/bucket.js",
          line: 1,
          message: "No test covers an empty bucket",
          suggestion: "Test it",
        },
      ],
      blocking_issues: [
        { dimension: "requirement_adherence", message: `${about} is not limited`, required_action: `Limit ${about}` },
      ],
      revision_notes: `1. Limit ${about}. 2. Test an empty bucket.`,
      pass_criteria_met: {
        all_critical_dimensions_pass: false,
        no_blocking_issues: false,
        overall_score_above_threshold: true,
      },
    },
    { requirement_adherence: 70, test_quality: 75 },
  ),
});

/** The same steps with scorecards that name this ticket, as a reviewer writes them. */
export function playedBy<S extends object>(ticket: string, steps: readonly S[]): S[] {
  return steps.map((step) => {
    const answer = "answer" in step ? step.answer : undefined;
    const isCard = typeof answer === "object" && answer !== null && "ticket_id" in answer;
    return isCard && answer.ticket_id === "bucket" ? { ...step, answer: { ...answer, ticket_id: ticket } } : step;
  });
}

export interface EpicsProject extends SampleProject {
  /** `anneal epic run`: these tickets, and the epic itself. */
  runEpic(options?: RunOptions & { tickets?: string[] }): Promise<AutoResult>;
  state(): EpicState;
}

/** A project with an epic, each of its tickets played by a script of its own. */
export async function epicsProject(
  tickets: SampleTickets,
  steps: Record<string, object[]>,
  { files = {}, settings = {}, more = "", ...options }: SampleOptions & { settings?: object; more?: string } = {},
): Promise<EpicsProject> {
  const project = await sampleProject({
    files: { "src/index.js": "export {};\n", ...epicFiles(tickets, more), ...files },
    settings: { testCommand: "grep -rq export src", ...settings },
    ...options,
  });
  const plan: EpicsProject["plan"] = (id, { steps: own, ...rest }) =>
    project.plan(id, { ...rest, steps: playedBy(id.slice(id.lastIndexOf("/") + 1), own) });
  for (const [ticket, played] of Object.entries(steps)) plan(`${EPIC}/${ticket}`, { steps: played });
  return {
    ...project,
    plan,
    runEpic: ({ tickets: only = Object.keys(tickets), ...rest } = {}) =>
      project.run([...only.map((ticket) => `ticket:${EPIC}/${ticket}`), `epic:${EPIC}`], rest),
    state: () => JSON.parse(readFileSync(join(project.root, STATE), "utf8")),
  };
}

/** Everything that an epic leaves behind, as one readable text. */
export async function epicPicture(project: EpicsProject, prompts: readonly Section[] = []): Promise<string> {
  const { repo, root } = project;
  const notifications = await project.notifications();
  const items = [...new Set(notifications.map(({ item }) => item))].sort();
  const branches = repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n");
  return sections([
    ...items.map((item): Section => [item, life(notifications.filter((one) => one.item === item))]),
    ["Branches", branches.flatMap((branch) => commits(project, branch))],
    ["Work tree", [repo.git("status", "--porcelain", "--untracked-files=all")]],
    ...filesIn(root, `${AT}/artifacts`),
    ...prompts,
  ]);
}

/** The statuses of a ticket, or the merges of an epic, and how it ended. */
function life(notifications: readonly LoopNotification[]): string[] {
  const events = notifications.map(({ event }) => event);
  const lines = events.flatMap((event, at): string[] => {
    if (event.type === "merged") return [`merged as ${event.commit}, checks ${event.checks?.result ?? "none"}`];
    const now = ticketLoop(events.slice(0, at + 1))?.status;
    const before = ticketLoop(events.slice(0, at))?.status;
    return now === before ? [] : [`${(now ?? "").padEnd(14)} after ${event.type} at ${iso(event.at)}`];
  });
  const end = notifications.at(-1)?.state;
  if (end?.stage === "ended") lines.push(`ended: ${end.outcome}: ${end.detail}`);
  if (end?.stage === "waiting-for-human") lines.push(`waits for a person: ${end.reason}: ${end.detail}`);
  return notifications[0]?.item.startsWith("epic:")
    ? lines.filter((line) => /^(?:merged|ended|waits)/.test(line))
    : lines;
}

function commits({ repo }: SampleProject, branch: string): string[] {
  const log = repo.git("log", "--graph", "--topo-order", "--format=%h %an %aI %s", branch);
  return [`${branch}:`, log, repo.git("ls-tree", "-r", "--abbrev=12", branch, "src"), ""];
}

function filesIn(root: string, folder: string): Section[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name): Section => [`${folder}/${name}`, [readFileSync(join(root, folder, name), "utf8")]]);
}

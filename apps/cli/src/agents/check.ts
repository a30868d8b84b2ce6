import { readFile } from "node:fs/promises";
import { text as allOf } from "node:stream/consumers";
import { policyNamed, UsageError } from "@anneal/engine";
import { type AgentTerms, agentToTest, type CheckedAnswer, checkAgent, checkAnswer } from "@anneal/engine/agents";
import type { Policy } from "@anneal/types";
import { interruptible } from "../interruptible.ts";
import { counted, duration } from "../project/output.ts";
import { harmlessLine, painter } from "../style.ts";

export interface CheckOptions {
  json: boolean;
  policy: string;
  /** A saved answer, in place of asking an agent; `-` is standard input. */
  answer: string | undefined;
  model: string | undefined;
}

/** `anneal agents check`: whether an answer has the form that a policy's reviewer needs, with every problem at once. */
export async function check(name: string | undefined, terms: AgentTerms, options: CheckOptions): Promise<number> {
  const { json, answer, model } = options;
  const policy = await policyNamed(options.policy);
  if ((name === undefined) === (answer === undefined)) {
    throw new UsageError("name an agent: anneal agents check NAME, or anneal agents check --answer FILE");
  }
  if (answer !== undefined) return tell(checkAnswer(policy, { text: await saved(answer) }), policy, { json });
  const agent = await agentToTest(name ?? "", terms, model);
  if (!json) process.stderr.write(`asking ${name} for a review of a small change under ${policy.name}…\n`);
  const checked = await interruptible((signal) => checkAgent(agent, policy, signal));
  return tell(checked, policy, { json, asked: `${name} answered in ${duration(checked.ms)}` });
}

async function saved(file: string): Promise<string> {
  if (file === "-") return await allOf(process.stdin);
  return await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--answer ${file} cannot be read: ${error.code ?? error.message}`);
  });
}

function tell(checked: CheckedAnswer, policy: Policy, { json, asked }: { json: boolean; asked?: string }): number {
  const code = checked.verdict.result === "inconclusive" ? 1 : 0;
  const form = policy.reviewer.contract;
  if (json) process.stdout.write(`${JSON.stringify({ policy: policy.name, form, ...checked }, null, 2)}\n`);
  else process.stdout.write(`${textOf(checked, { asked, policy: policy.name, form }).join("\n")}\n`);
  return code;
}

interface About {
  asked: string | undefined;
  policy: string;
  form: string;
}

function textOf({ report, verdict, problems }: CheckedAnswer, { asked, policy, form }: About): string[] {
  const paint = painter(process.stdout);
  const first = asked === undefined ? [] : [asked];
  if (verdict.result === "inconclusive") {
    return [
      ...first,
      `${paint("red", "✘")} not read as ${form}: ${counted(problems.length, "problem")}`,
      ...problems.map((problem, index) => `  ${index + 1}. ${harmlessLine(problem)}`),
      `  → docs/write-a-reviewer.md shows the format with examples, in the section ${policy}`,
    ];
  }
  const { findings, notes } = report.status === "complete" ? report : { findings: [], notes: [] };
  return [
    ...first,
    `${paint("green", "✔")} read as ${form}: ${verdict.result}, ${counted(findings.length, "finding")}; ${harmlessLine(verdict.reason)}`,
    ...findings.map(({ severity, title, file, line }) => {
      const place = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`;
      return harmlessLine(`  ${severity.padEnd(8)} ${title}${place}`);
    }),
    ...notes.map((note) => paint("dim", harmlessLine(`  note: ${note}`))),
  ];
}

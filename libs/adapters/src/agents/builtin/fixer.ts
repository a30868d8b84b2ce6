import type { Finding } from "@anneal/types";
import type { Fixer, FixRequest } from "../../ports.ts";
import { openInside, replaceFile } from "./fix/jail.ts";
import { applyRepairs, REPAIRERS, type Repair } from "./fix/repairs.ts";
import { codeText } from "./lex/code-text.ts";
import { fileKind } from "./lex/file-kind.ts";

/** Repairs what needs no judgement, in the files of the findings only, and says of the rest why it was left. */
export const builtinFixer: Fixer = {
  name: "builtin",
  async fix(request, signal) {
    const outcomes: Outcome[] = [];
    for (const [file, findings] of byFile(request)) {
      signal.throwIfAborted();
      outcomes.push(...(await fixFile(request.worktree, file, findings)));
    }
    const fixed = new Set(outcomes.flatMap((one) => (one.fixed ? [one.finding] : [])));
    const addressed = request.findings.flatMap((one) => (fixed.has(one.finding) ? [one.fingerprint] : []));
    return { refutations: [], addressed, text: account(outcomes), usage: {} };
  },
};

interface Outcome {
  finding: Finding;
  fixed: boolean;
  words: string;
}

function byFile({ findings }: FixRequest): Map<string, Finding[]> {
  return Map.groupBy(
    findings.map((tracked) => tracked.finding),
    (finding) => finding.file ?? "",
  );
}

async function fixFile(worktree: string, file: string, findings: Finding[]): Promise<Outcome[]> {
  const hopeful = findings.filter((finding) => finding.rule !== undefined && Object.hasOwn(REPAIRERS, finding.rule));
  const rest = findings
    .filter((finding) => !hopeful.includes(finding))
    .map((finding) => left(finding, "this needs a person's judgement"));
  if (hopeful.length === 0) return rest;
  const opened = await openInside(worktree, file);
  if (typeof opened === "string") return [...rest, ...hopeful.map((finding) => left(finding, opened))];
  const { language } = fileKind(file);
  const code = codeText(opened.text, language);
  const repairs: Repair[] = [];
  for (const [rule, group] of Map.groupBy(hopeful, (finding) => finding.rule ?? "")) {
    repairs.push(...(REPAIRERS[rule]?.(group, code, language) ?? []));
  }
  const text = applyRepairs(code, repairs, language);
  if (text === null)
    return [...rest, ...hopeful.map((finding) => left(finding, "the fix would leave unmatched brackets in the file"))];
  if (text !== opened.text) await replaceFile(opened, text);
  return [...rest, ...repairs.map((repair) => outcome(repair))];
}

function outcome(repair: Repair): Outcome {
  if ("left" in repair) return left(repair.finding, repair.left);
  return { finding: repair.finding, fixed: true, words: repair.done };
}

function left(finding: Finding, words: string): Outcome {
  return { finding, fixed: false, words };
}

function account(outcomes: Outcome[]): string {
  const fixed = outcomes.filter((one) => one.fixed).length;
  const head = `Fixed ${fixed} of ${outcomes.length} findings${fixed < outcomes.length ? "; the rest is left to a person" : ""}.`;
  const lines = outcomes.map(({ finding, fixed, words }) => {
    const place = finding.file ? `${finding.file}${finding.line ? `:${finding.line}` : ""}` : "the change";
    return `- ${finding.rule ?? finding.title} at ${place}: ${fixed ? "fixed" : "left"}, ${words}`;
  });
  return [head, ...lines].join("\n");
}

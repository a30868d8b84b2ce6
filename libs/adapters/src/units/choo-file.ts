import { join } from "node:path";
import { type BaselineCheck, ChooConfig, type CodeReviewConfig, DEFAULT_CODE_REVIEW_CONFIG } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { type FileProblem, schemaProblems } from "../stories/front-matter/problem.ts";
import { readText } from "../stories/front-matter/text-file.ts";
import { readYamlMap } from "../stories/front-matter/yaml-map.ts";
import { type CommandStep, readCommand } from "./command.ts";

/** What `.choo.yaml` says, with the defaults of what it leaves out. */
export interface Choo {
  codeReview: CodeReviewConfig;
  baselineChecks: (BaselineCheck & { steps: CommandStep[]; line: number })[];
  /** Everything in it, also what is not ours. */
  values: ChooConfig;
  /** Things that have no effect and may be slips. */
  notes: string[];
}

export type ChooRead = ({ ok: true } & Choo) | { ok: false; problems: FileProblem[] };

export const CHOO_FILE = ".choo.yaml";
const MOST_FIXES = 50;

/** Reads a project's `.choo.yaml`; without one the defaults hold. A bad value never takes effect: nothing may start with one. */
export async function readChoo(root: string): Promise<ChooRead> {
  const read = await readText(join(root, CHOO_FILE));
  if (read.ok) return interpretChoo(read.text);
  if (read.message === "the file does not exist") return interpretChoo("");
  return { ok: false, problems: [{ file: CHOO_FILE, line: 1, message: read.message }] };
}

/** Reads a text that is already here, as `readChoo` would. */
export function interpretChoo(text: string): ChooRead {
  const file = CHOO_FILE;
  const yaml = readYamlMap(text.replace(/^\uFEFF/, ""), { firstLine: 1, scalars: "typed" });
  if (!yaml.ok) return { ok: false, problems: [{ file, line: yaml.line, message: yaml.message }] };
  // A section whose entries are all commented out has no value.
  const filled = Object.fromEntries(Object.entries(yaml.value).filter(([, value]) => value !== null));
  const parsed = ChooConfig.safeParse(filled);
  if (!parsed.success) {
    const problems = schemaProblems(file, parsed.error, yaml.lineOf);
    return { ok: false, problems: problems.map((problem) => withProvider(problem, filled)) };
  }
  const codeReview = parsed.data.code_review ?? DEFAULT_CODE_REVIEW_CONFIG;
  const problems: FileProblem[] = [];
  if (codeReview.max_fix_iterations > MOST_FIXES) {
    const message = `code_review.max_fix_iterations: expected at most ${MOST_FIXES}`;
    problems.push({ file, line: yaml.lineOf(["code_review", "max_fix_iterations"]), message });
  }
  const baselineChecks = (parsed.data.baseline_checks ?? []).map((check, at) => {
    const steps = stepsOf(check.command);
    const line = yaml.lineOf(["baseline_checks", at, "command"]);
    if (Array.isArray(steps)) return { ...check, steps, line };
    problems.push({ file, line, message: `baseline_checks[${at}].command: ${steps.error}` });
    return { ...check, steps: [], line };
  });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, codeReview, baselineChecks, values: parsed.data, notes: unknownKeys(codeReview, yaml.lineOf) };
}

/** The steps of a command, or why it cannot be run. */
export function stepsOf(command: string): CommandStep[] | { error: string } {
  try {
    return readCommand(command);
  } catch (error) {
    return { error: errorMessage(error) };
  }
}

/** The seed's own words for a provider that does not exist. */
function withProvider(problem: FileProblem, values: Record<string, unknown>): FileProblem {
  const prefix = "code_review.provider: ";
  const section = values.code_review;
  if (!problem.message.startsWith(prefix) || typeof section !== "object" || section === null) return problem;
  const provider = "provider" in section ? section.provider : undefined;
  if (typeof provider !== "string") return problem;
  const allowed = problem.message.slice(prefix.length);
  return { ...problem, message: `${prefix}unknown review provider: ${JSON.stringify(provider)}; ${allowed}` };
}

function unknownKeys(codeReview: CodeReviewConfig, lineOf: (path: string[]) => number): string[] {
  const known = Object.keys(DEFAULT_CODE_REVIEW_CONFIG);
  return Object.keys(codeReview)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const place = `${CHOO_FILE}:${lineOf(["code_review", key])}`;
      return `${place}: code_review.${key} is unknown and has no effect; known: ${known.join(", ")}`;
    });
}

import type { Contract, Report } from "@anneal/types";
import type { AgentAnswer, ReadOptions } from "./answer/answer.ts";
import { readDecisionText } from "./decision-text.ts";
import { readFindingsReport } from "./findings-document.ts";
import { readIssueLines } from "./issue-lines.ts";
import { readScorecardJson } from "./scorecard-json.ts";
import { readVerdictJson } from "./verdict-json.ts";

export type { AgentAnswer, ReadOptions } from "./answer/answer.ts";
export type { ReviewedPaths } from "./answer/path.ts";
export { readDecisionText } from "./decision-text.ts";
export { readFindingsReport } from "./findings-document.ts";
export { readIssueLines } from "./issue-lines.ts";
export { type Json, type JsonObject, strictObject } from "./json/json.ts";
export { readScorecardJson } from "./scorecard-json.ts";
export { readVerdictJson } from "./verdict-json.ts";

const readers: Record<Contract, (answer: AgentAnswer, options: ReadOptions) => Report> = {
  "decision-text": readDecisionText,
  "verdict-json": readVerdictJson,
  "scorecard-json": readScorecardJson,
  "findings-document": readFindingsReport,
  "issue-lines": readIssueLines,
};

/** Turns a reviewer's answer into a report. It never throws, and whatever it cannot read whole is inconclusive. */
export function read(contract: Contract, answer: AgentAnswer, options: ReadOptions = {}): Report {
  return readers[contract](answer, options);
}

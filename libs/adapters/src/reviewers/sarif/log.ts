import { isObject, type Json, listOf, numberOf, textOf, valueAt } from "./json.ts";
import { type RuleBook, ruleBook } from "./rules.ts";
import { SarifError } from "./sarif-error.ts";
import { type SarifPath, sarifPath } from "./uri.ts";

/** What we use of a SARIF 2.1.0 log. */
export interface SarifRun {
  tool: string;
  /** The commit that the tool looked at, where it says so. */
  revision?: string;
  /** The files that it looked at, where it says so. */
  targets: SarifPath[];
  results: SarifResult[];
}

export interface SarifResult {
  rule?: string;
  title: string;
  message: string;
  help?: string;
  level: Level;
  /** 0 to 10, where the rule is one of security. */
  securitySeverity?: number;
  tags: string[];
  places: SarifLocation[];
  /** Whether it was decided that it does not count: by a remark in the code, or in the tool. */
  settled: "no" | "in-source" | "in-tool";
}

export type Level = "error" | "warning" | "note" | "none";

export interface SarifLocation {
  path: SarifPath;
  line?: number;
  endLine?: number;
}

/** The runs of a log. Whatever could hide a result is refused: another version, a run that failed, results kept elsewhere. */
export function readSarif(content: string): SarifRun[] {
  const log = parsed(content);
  if (valueAt(log, "version") !== "2.1.0") throw new SarifError("it is not a SARIF 2.1.0 log");
  const runs = valueAt(log, "runs");
  if (!Array.isArray(runs) || runs.length === 0) throw new SarifError("it has no runs");
  if (valueAt(log, "inlineExternalProperties") !== undefined)
    throw new SarifError("it has results outside of its runs");
  return runs.map(readRun);
}

function parsed(content: string): Json {
  try {
    return JSON.parse(content) as Json;
  } catch {
    throw new SarifError("it is not JSON");
  }
}

function readRun(run: Json): SarifRun {
  const tool = textOf(valueAt(run, "tool", "driver", "name"));
  if (tool === undefined) throw new SarifError("a run does not name its tool");
  const invocations = listOf(valueAt(run, "invocations"));
  if (invocations.some((one) => valueAt(one, "executionSuccessful") === false))
    throw new SarifError(`${tool} says that its run failed${failureOf(invocations)}`);
  const results = valueAt(run, "results");
  // The standard: without the list the tool looked for nothing, which is another thing than having found nothing.
  if (!Array.isArray(results))
    throw new SarifError(`${tool} wrote no list of results, so nothing shows that it checked anything; run it again`);
  if (listOf(valueAt(run, "externalPropertyFileReferences", "results")).length > 0)
    throw new SarifError(`${tool} keeps results in other files`);
  const revision = listOf(valueAt(run, "versionControlProvenance"))
    .map((one) => textOf(valueAt(one, "revisionId")))
    .find((one) => one !== undefined);
  const rules = ruleBook(run);
  return {
    tool,
    ...(revision === undefined ? {} : { revision }),
    targets: listOf(valueAt(run, "artifacts"))
      .filter((one) => listOf(valueAt(one, "roles")).includes("analysisTarget"))
      .flatMap((one) => sarifPath(run, valueAt(one, "location")) ?? []),
    results: results.flatMap((result) => readResult(run, result, rules) ?? []),
  };
}

function failureOf(invocations: readonly Json[]): string {
  const message = invocations
    .flatMap((one) => listOf(valueAt(one, "toolExecutionNotifications")))
    .filter((one) => valueAt(one, "level") === "error")
    .map((one) => textOf(valueAt(one, "message", "text")))
    .find((one) => one !== undefined);
  return message === undefined ? "" : `: ${message.slice(0, 200)}`;
}

function readResult(run: Json, result: Json, rules: RuleBook): SarifResult | undefined {
  if (!isObject(result)) throw new SarifError("a result is not an object");
  const kind = textOf(valueAt(result, "kind")) ?? "fail";
  if (["pass", "notApplicable"].includes(kind) || valueAt(result, "baselineState") === "absent") return undefined;
  const rule = rules(result);
  const id = textOf(valueAt(result, "ruleId")) ?? textOf(valueAt(rule, "id")) ?? textOf(valueAt(result, "rule", "id"));
  const message = messageOf(result, rule) ?? id;
  if (message === undefined) throw new SarifError("a result says nothing");
  const help = textOf(valueAt(rule, "help", "text"));
  const security = numberOf(valueAt(rule, "properties", "security-severity"));
  return {
    ...(id === undefined ? {} : { rule: id }),
    title: textOf(valueAt(rule, "shortDescription", "text")) ?? message,
    message,
    ...(help === undefined ? {} : { help }),
    level: kind === "fail" ? levelOf(result, rule) : "none",
    ...(security === undefined ? {} : { securitySeverity: security }),
    tags: [...listOf(valueAt(rule, "properties", "tags")), ...listOf(valueAt(result, "properties", "tags"))].flatMap(
      (tag) => textOf(tag) ?? [],
    ),
    places: listOf(valueAt(result, "locations")).flatMap((one) => placeOf(run, valueAt(one, "physicalLocation")) ?? []),
    settled: settledBy(listOf(valueAt(result, "suppressions"))),
  };
}

function settledBy(suppressions: readonly Json[]): SarifResult["settled"] {
  const accepted = suppressions.filter((one) => (valueAt(one, "status") ?? "accepted") === "accepted");
  if (accepted.length === 0) return "no";
  return accepted.every((one) => valueAt(one, "kind") === "inSource") ? "in-source" : "in-tool";
}

function levelOf(result: Json, rule: Json | undefined): Level {
  const level = textOf(valueAt(result, "level")) ?? textOf(valueAt(rule, "defaultConfiguration", "level")) ?? "warning";
  const known = (["error", "warning", "note", "none"] as const).find((one) => one === level);
  if (known === undefined) throw new SarifError(`a result has the unknown level "${level.slice(0, 40)}"`);
  return known;
}

function messageOf(result: Json, rule: Json | undefined): string | undefined {
  const own = textOf(valueAt(result, "message", "text")) ?? textOf(valueAt(result, "message", "markdown"));
  const id = textOf(valueAt(result, "message", "id"));
  const template = own ?? (id === undefined ? undefined : textOf(valueAt(rule, "messageStrings", id, "text")));
  const words = listOf(valueAt(result, "message", "arguments")).map((one) => textOf(one) ?? "");
  return template?.replace(/\{(\d+)\}/g, (all, index: string) => words[Number(index)] ?? all);
}

function placeOf(run: Json, location: Json | undefined): SarifLocation | undefined {
  const path = sarifPath(run, valueAt(location, "artifactLocation"));
  if (path === undefined) return undefined;
  const line = numberOf(valueAt(location, "region", "startLine"));
  const endLine = numberOf(valueAt(location, "region", "endLine"));
  return {
    path,
    ...(line === undefined || line < 1 ? {} : { line }),
    ...(line === undefined || endLine === undefined || endLine < line ? {} : { endLine }),
  };
}

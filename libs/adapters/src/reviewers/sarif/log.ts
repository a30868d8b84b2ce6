import { at, isObject, type Json, list, number, text } from "./json.ts";
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
  if (at(log, "version") !== "2.1.0") throw new SarifError("it is not a SARIF 2.1.0 log");
  const runs = at(log, "runs");
  if (!Array.isArray(runs) || runs.length === 0) throw new SarifError("it has no runs");
  if (at(log, "inlineExternalProperties") !== undefined) throw new SarifError("it keeps results outside of its runs");
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
  const tool = text(at(run, "tool", "driver", "name"));
  if (tool === undefined) throw new SarifError("a run does not name its tool");
  const invocations = list(at(run, "invocations"));
  if (invocations.some((one) => at(one, "executionSuccessful") === false))
    throw new SarifError(`${tool} says that its run failed${failureOf(invocations)}`);
  const results = at(run, "results");
  // The standard: without the list the tool looked for nothing, which is another thing than having found nothing.
  if (!Array.isArray(results))
    throw new SarifError(`${tool} wrote no list of results, so nothing shows that it checked anything; run it again`);
  if (list(at(run, "externalPropertyFileReferences", "results")).length > 0)
    throw new SarifError(`${tool} keeps results in other files`);
  const revision = list(at(run, "versionControlProvenance"))
    .map((one) => text(at(one, "revisionId")))
    .find((one) => one !== undefined);
  const rules = ruleBook(run);
  return {
    tool,
    ...(revision === undefined ? {} : { revision }),
    targets: list(at(run, "artifacts"))
      .filter((one) => list(at(one, "roles")).includes("analysisTarget"))
      .flatMap((one) => sarifPath(run, at(one, "location")) ?? []),
    results: results.flatMap((result) => readResult(run, result, rules) ?? []),
  };
}

function failureOf(invocations: readonly Json[]): string {
  const message = invocations
    .flatMap((one) => list(at(one, "toolExecutionNotifications")))
    .filter((one) => at(one, "level") === "error")
    .map((one) => text(at(one, "message", "text")))
    .find((one) => one !== undefined);
  return message === undefined ? "" : `: ${message.slice(0, 200)}`;
}

function readResult(run: Json, result: Json, rules: RuleBook): SarifResult | undefined {
  if (!isObject(result)) throw new SarifError("a result is not an object");
  const kind = text(at(result, "kind")) ?? "fail";
  if (["pass", "notApplicable"].includes(kind) || at(result, "baselineState") === "absent") return undefined;
  const rule = rules(result);
  const id = text(at(result, "ruleId")) ?? text(at(rule, "id")) ?? text(at(result, "rule", "id"));
  const message = messageOf(result, rule) ?? id;
  if (message === undefined) throw new SarifError("a result says nothing");
  const help = text(at(rule, "help", "text"));
  const security = number(at(rule, "properties", "security-severity"));
  return {
    ...(id === undefined ? {} : { rule: id }),
    title: text(at(rule, "shortDescription", "text")) ?? message,
    message,
    ...(help === undefined ? {} : { help }),
    level: kind === "fail" ? levelOf(result, rule) : "none",
    ...(security === undefined ? {} : { securitySeverity: security }),
    tags: [...list(at(rule, "properties", "tags")), ...list(at(result, "properties", "tags"))].flatMap(
      (tag) => text(tag) ?? [],
    ),
    places: list(at(result, "locations")).flatMap((one) => placeOf(run, at(one, "physicalLocation")) ?? []),
    settled: settledBy(list(at(result, "suppressions"))),
  };
}

function settledBy(suppressions: readonly Json[]): SarifResult["settled"] {
  const accepted = suppressions.filter((one) => (at(one, "status") ?? "accepted") === "accepted");
  if (accepted.length === 0) return "no";
  return accepted.every((one) => at(one, "kind") === "inSource") ? "in-source" : "in-tool";
}

function levelOf(result: Json, rule: Json | undefined): Level {
  const level = text(at(result, "level")) ?? text(at(rule, "defaultConfiguration", "level")) ?? "warning";
  const known = (["error", "warning", "note", "none"] as const).find((one) => one === level);
  if (known === undefined) throw new SarifError(`a result has the unknown level "${level.slice(0, 40)}"`);
  return known;
}

function messageOf(result: Json, rule: Json | undefined): string | undefined {
  const own = text(at(result, "message", "text")) ?? text(at(result, "message", "markdown"));
  const id = text(at(result, "message", "id"));
  const template = own ?? (id === undefined ? undefined : text(at(rule, "messageStrings", id, "text")));
  const words = list(at(result, "message", "arguments")).map((one) => text(one) ?? "");
  return template?.replace(/\{(\d+)\}/g, (all, index: string) => words[Number(index)] ?? all);
}

function placeOf(run: Json, location: Json | undefined): SarifLocation | undefined {
  const path = sarifPath(run, at(location, "artifactLocation"));
  if (path === undefined) return undefined;
  const line = number(at(location, "region", "startLine"));
  const endLine = number(at(location, "region", "endLine"));
  return {
    path,
    ...(line === undefined || line < 1 ? {} : { line }),
    ...(line === undefined || endLine === undefined || endLine < line ? {} : { endLine }),
  };
}

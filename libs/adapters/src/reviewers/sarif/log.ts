import { at, isObject, type Json, list, number, text } from "./json.ts";

/** What we use of a SARIF 2.1.0 log. */
export interface SarifRun {
  tool: string;
  /** The commit that the tool looked at, where it says so. */
  revision?: string;
  /** The files that it looked at, where it says so. */
  targets: string[];
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
  places: Place[];
  /** Whether it was decided that it does not count: by a remark in the code, or in the tool. */
  settled: "no" | "in-source" | "in-tool";
}

export type Level = "error" | "warning" | "note" | "none";

export interface Place {
  file: string;
  line?: number;
  endLine?: number;
  snippet?: string;
}

/** The file cannot stand for a review; the message says why. */
export class SarifError extends Error {
  override readonly name = "SarifError";
}

/** The runs of a log. Whatever could hide a result is refused: another version, a run that failed, results kept elsewhere. */
export function readSarif(content: string): SarifRun[] {
  const log = parsed(content);
  if (at(log, "version") !== "2.1.0") throw new SarifError("it is no SARIF log of version 2.1.0");
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
  if (!Array.isArray(results)) throw new SarifError(`the run of ${tool} has no results, not even an empty list`);
  if (list(at(run, "externalPropertyFileReferences", "results")).length > 0)
    throw new SarifError(`${tool} keeps results in other files`);
  const revision = list(at(run, "versionControlProvenance"))
    .map((one) => text(at(one, "revisionId")))
    .find((one) => one !== undefined);
  return {
    tool,
    ...(revision === undefined ? {} : { revision }),
    targets: list(at(run, "artifacts"))
      .filter((one) => list(at(one, "roles")).includes("analysisTarget"))
      .flatMap((one) => fileOf(run, at(one, "location")) ?? []),
    results: results.flatMap((result) => readResult(run, result) ?? []),
  };
}

function failureOf(invocations: readonly Json[]): string {
  const told = invocations
    .flatMap((one) => list(at(one, "toolExecutionNotifications")))
    .filter((one) => at(one, "level") === "error")
    .map((one) => text(at(one, "message", "text")))
    .find((one) => one !== undefined);
  return told === undefined ? "" : `: ${told.slice(0, 200)}`;
}

function readResult(run: Json, result: Json): SarifResult | undefined {
  if (!isObject(result)) throw new SarifError("a result is no object");
  const kind = text(at(result, "kind")) ?? "fail";
  if (["pass", "notApplicable"].includes(kind) || at(result, "baselineState") === "absent") return undefined;
  const rule = ruleOf(run, result);
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

function ruleOf(run: Json, result: Json): Json | undefined {
  const component = number(at(result, "rule", "toolComponent", "index"));
  const rules = list(
    component === undefined ? at(run, "tool", "driver", "rules") : at(run, "tool", "extensions", component, "rules"),
  );
  const index = number(at(result, "ruleIndex")) ?? number(at(result, "rule", "index"));
  if (index !== undefined && index >= 0) return rules[index];
  const id = text(at(result, "ruleId")) ?? text(at(result, "rule", "id"));
  // An id such as CA1000/1 is a case of the rule CA1000.
  return (
    rules.find((rule) => at(rule, "id") === id) ?? rules.find((rule) => id?.startsWith(`${text(at(rule, "id"))}/`))
  );
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

function placeOf(run: Json, location: Json | undefined): Place | undefined {
  const file = fileOf(run, at(location, "artifactLocation"));
  if (file === undefined) return undefined;
  const line = number(at(location, "region", "startLine"));
  const endLine = number(at(location, "region", "endLine"));
  const snippet = text(at(location, "region", "snippet", "text"));
  return {
    file,
    ...(line === undefined || line < 1 ? {} : { line }),
    ...(line === undefined || endLine === undefined || endLine < line ? {} : { endLine }),
    ...(snippet === undefined ? {} : { snippet }),
  };
}

/** A path as the tool has it: from the top of the repository, or from the top of its machine. */
function fileOf(run: Json, location: Json | undefined): string | undefined {
  const index = number(at(location, "index"));
  const artifact = index === undefined ? undefined : at(run, "artifacts", index, "location");
  const uri = text(at(location, "uri")) ?? text(at(artifact, "uri"));
  if (uri === undefined) return undefined;
  const baseId = text(at(location, "uriBaseId")) ?? text(at(artifact, "uriBaseId"));
  const base = baseId === undefined ? undefined : text(at(run, "originalUriBaseIds", baseId, "uri"));
  const joined = base === undefined || /^[a-z][a-z0-9+.-]*:/i.test(uri) ? uri : `${base.replace(/\/?$/, "/")}${uri}`;
  try {
    return decodeURIComponent(joined.replace(/^file:\/\/(?:localhost)?/i, "")).replace(/^(?:\.\/)+/, "");
  } catch {
    return undefined;
  }
}

import { type Json, numberOf, textOf, valueAt } from "./json.ts";
import { SarifError } from "./sarif-error.ts";

/** Where a tool says that something is: the path as it may be meant, likeliest first, and as it was written. */
export interface SarifPath {
  written: string;
  readings: PathReading[];
}

/** One way to read a path, without dots, empty parts and what leads out of its own beginning. */
export interface PathReading {
  parts: string[];
  /** `outside`: from the top of a machine, or from above the folder that the tool was in. */
  from: "here" | "outside";
}

const SCHEME = /^(?:file:\/\/localhost(?=\/)|[a-z][a-z0-9+.-]+:)/i;

/** The path of an artifact, with all that its bases put in front of it. */
export function sarifPath(run: Json, location: Json | undefined): SarifPath | undefined {
  const index = numberOf(valueAt(location, "index"));
  const artifact = index === undefined ? undefined : valueAt(run, "artifacts", index, "location");
  const uri = textOf(valueAt(location, "uri")) ?? textOf(valueAt(artifact, "uri"));
  if (uri === undefined) return undefined;
  const written = based(run, uri, textOf(valueAt(location, "uriBaseId")) ?? textOf(valueAt(artifact, "uriBaseId")));
  return { written, readings: readingsOf(written) };
}

function based(run: Json, uri: string, baseId: string | undefined): string {
  const passed = new Set<string>();
  let path = uri;
  for (let id = baseId; id !== undefined && !isAnchored(path); ) {
    if (passed.has(id))
      throw new SarifError(`its originalUriBaseIds has the base "${id.slice(0, 40)}", which refers to itself`);
    passed.add(id);
    const base: Json | undefined = valueAt(run, "originalUriBaseIds", id);
    path = `${(textOf(valueAt(base, "uri")) ?? "").replace(/([^/])$/, "$1/")}${path}`;
    id = textOf(valueAt(base, "uriBaseId"));
  }
  return path;
}

function isAnchored(path: string): boolean {
  return SCHEME.test(path) || /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);
}

/** By the standard it is a URI; many tools write plain paths, in which `#`, `?` and `%` are letters like others. */
function readingsOf(written: string): PathReading[] {
  const bare = written.replace(/[?#].*$/s, "");
  const ways = [decoded(bare), decoded(written), written].filter((way) => way !== undefined);
  return [...new Set(ways)].map(readingOf).filter(({ parts }) => parts.length > 0);
}

function decoded(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri);
  } catch {
    return undefined;
  }
}

function readingOf(path: string): PathReading {
  const parts: string[] = [];
  let leftOut = false;
  // A host in front of the path is one more part that nothing here is called by.
  for (const part of path.replace(SCHEME, "/").split(/[/\\]+/)) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) leftOut = true;
  }
  return { parts, from: leftOut || isAnchored(path) ? "outside" : "here" };
}

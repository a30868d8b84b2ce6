import { existsSync, readFileSync } from "node:fs";
import { writeDurably } from "./durable-file.ts";
import { makeFolder, placesOf, TEMPORARY } from "./places.ts";

const RUNTIME_FILES = [
  ...["/anneal.db*", "/anneal.lock*", "/anneal.owner.json", "/blobs/", `*${TEMPORARY}`],
  // Of those who write settings and features.
  ...["/anneal-files.lock*", ".*.tmp"],
];

/** The same as patterns from the top of the work tree, for a folder that plays `.automaker`. */
export function runtimePatterns(folder: string): string[] {
  return RUNTIME_FILES.map((line) => (line.startsWith("/") ? `/${folder}${line}` : `/${folder}/**/${line}`));
}

/** Keeps the engine's own files out of commits: adds what `.automaker/.gitignore` lacks and leaves the rest as it is. */
export function keepRuntimeFilesOut(projectRoot: string): void {
  const places = placesOf(projectRoot);
  // Latin-1 carries every byte through unchanged, whatever the encoding of the lines that are not ours.
  const present = existsSync(places.ignoreFile) ? readFileSync(places.ignoreFile, "latin1") : "";
  const lines = new Set(present.split("\n").map((line) => line.trim()));
  const missing = RUNTIME_FILES.filter((line) => !lines.has(line));
  if (missing.length === 0) return;
  makeFolder(places);
  const separator = present === "" || present.endsWith("\n") ? "" : "\n";
  const extended = `${present}${separator}${missing.join("\n")}\n`;
  writeDurably(places.ignoreFile, Buffer.from(extended, "latin1"), { area: "gitignore" });
}

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

const ITSELF = "/.gitignore";

/**
 * Keeps the engine's own files out of commits: adds what `.automaker/.gitignore` lacks and leaves the rest as it is. Where it is
 * made by the way it hides itself too; `shown` is for a project that is made to be committed.
 */
export function keepRuntimeFilesOut(projectRoot: string, file: "as-it-is" | "shown" = "as-it-is"): void {
  const places = placesOf(projectRoot);
  // Latin-1 carries every byte through unchanged, whatever the encoding of the lines that are not ours.
  const found = existsSync(places.ignoreFile) ? readFileSync(places.ignoreFile, "latin1") : null;
  const present = file === "shown" ? withoutItself(found ?? "") : (found ?? `${ITSELF}\n`);
  const lines = new Set(present.split("\n").map((line) => line.trim()));
  const missing = RUNTIME_FILES.filter((line) => !lines.has(line));
  if (missing.length === 0 && present === found) return;
  makeFolder(places);
  const separator = present === "" || present.endsWith("\n") ? "" : "\n";
  const extended = missing.length === 0 ? present : `${present}${separator}${missing.join("\n")}\n`;
  writeDurably(places.ignoreFile, Buffer.from(extended, "latin1"), { area: "gitignore" });
}

function withoutItself(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.trim() !== ITSELF)
    .join("\n");
}

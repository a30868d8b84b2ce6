import { readFileSync } from "node:fs";

/** The text of a prompt file, by its path relative to this one. */
export function loadPrompt(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8").trimEnd();
}

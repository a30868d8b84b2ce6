import { readFileSync } from "node:fs";

/**
 * The text of a prompt file, by its path under `src/`.
 * The compiler copies no .md files; `../src` is right from `src/` and from `dist/` alike.
 */
export function loadPrompt(path: string): string {
  return readFileSync(new URL(`../src/${path}`, import.meta.url), "utf8").trimEnd();
}

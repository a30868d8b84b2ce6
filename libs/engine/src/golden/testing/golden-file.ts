import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const HOW = "If the change is meant, write it anew with: UPDATE_GOLDEN=1 npx vitest run libs/engine/src/golden";

/** Compares a text with its golden file, byte for byte but for where the repository lies. */
export function expectGolden(name: string, text: string): void {
  const actual = text.replaceAll(/(\/[^\s"']*\/)?anneal-repo-\w+/g, (_, above) => (above ? "/ROOT" : "ROOT"));
  const path = fileURLToPath(new URL(`../${name}.golden.txt`, import.meta.url));
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(path, actual);
  const expected = existsSync(path) ? readFileSync(path, "utf8") : "";
  expect(actual, `${name}.golden.txt tells another story. ${HOW}\n`).toBe(expected);
}

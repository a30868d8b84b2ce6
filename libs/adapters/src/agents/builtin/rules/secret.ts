import type { FileCheck, Found } from "../source/rule.ts";
import { SECRET_HINT, scanSecrets } from "./secret-scan.ts";

/** Finds credentials on added lines. What it reports is masked: the report must not spread the secret further. */
export const secret: FileCheck = {
  covers: () => true,
  hint: SECRET_HINT,
  async look({ added, addedText, path }) {
    return (await scanSecrets(addedText, path)).map(({ start, end, what }): Found => {
      const first = added[lineIndex(addedText, start)];
      const last = added[lineIndex(addedText, end - 1)];
      const value = addedText.slice(start, end);
      return {
        line: first?.line ?? 1,
        endLine: last?.line ?? 1,
        snippet: first?.text ?? "",
        title: `${/^[aeiou]/i.test(what) ? "An" : "A"} ${what} is in the code`,
        description: `Line ${first?.line ?? 1} contains what looks like a working ${what} (${mask(value.split("\n")[0] ?? "")}).`,
        hide: value.split("\n").map((text) => ({ text, as: mask(text) })),
      };
    });
  },
};

/** Always the same few characters for the same secret, so that the finding keeps its identity. */
export function mask(value: string): string {
  const header = /^-----BEGIN [^-]*-----/.exec(value)?.[0] ?? "";
  if (header) return value.length > header.length ? `${header}****` : header;
  const address = /^([\w+.-]+:\/\/)[^@]*(@.*)$/s.exec(value);
  if (address) return `${address[1]}****${address[2]}`;
  // Four characters of a short password would give most of it away.
  return value.length >= 12 ? `${value.slice(0, 4)}****` : "****";
}

function lineIndex(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

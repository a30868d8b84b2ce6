import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Finding, TrackedFinding } from "@anneal/types";

/** A folder with files, removed at the end of the test. */
export function worktreeOf(files: Record<string, string | Uint8Array>): Disposable & { path: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "anneal-fixer-")));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function tracked(finding: Finding, index = 0): TrackedFinding {
  return {
    fingerprint: `f${index}`,
    finding,
    lifecycle: "new",
    origin: { kind: "change" },
    disposition: { kind: "open" },
    firstRound: 1,
    lastRound: 1,
  };
}

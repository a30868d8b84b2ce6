import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identityRows, isMet, type Row } from "./bench.ts";
import { scenarios } from "./scenario.ts";

/** `npm run bench -- --identity` prints all of it. */
test("findings are known again, and hardly ever taken for others, in all that careful readers have judged", async () => {
  const dir = mkdtempSync(join(tmpdir(), "anneal-identity-"));
  try {
    const { byWords, asked } = await identityRows(dir, scenarios());
    expect(byWords.find(({ what }) => what === "kept: all pairs")?.of).toBeGreaterThan(300);
    expect(share(byWords, "kept: words equal")).toBeGreaterThanOrEqual(0.98);
    expect(share(byWords, "wrong merges")).toBeLessThanOrEqual(0.01);
    expect(share(byWords, "wrong: a near miss taken for the same")).toBeLessThanOrEqual(0.01);
    expect(share(byWords, "kept: reworded lightly")).toBeGreaterThanOrEqual(0.95);
    // Where nobody can be asked.
    expect(share(byWords, "kept: reworded")).toBeGreaterThanOrEqual(0.72);
    // Answers are bound to the questions: where those change, new answers have to be recorded.
    expect(asked?.filter((row) => !isMet(row))).toEqual([]);
    expect(share(asked ?? [], "kept: reworded")).toBeGreaterThanOrEqual(0.8);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

function share(rows: readonly Row[], what: string): number {
  const { hits = 0, of = 0 } = rows.find((row) => row.what === what) ?? {};
  return hits / of;
}

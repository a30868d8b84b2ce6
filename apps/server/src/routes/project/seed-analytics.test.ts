import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnalyticsKeeper, analyticsKeeper } from "@anneal/engine/analytics";
import { expect, test } from "vitest";

test("an event that is counted costs its loop no look into the log and no file (seed 001)", () => {
  const root = mkdtempSync(join(tmpdir(), "anneal-analytics-"));
  const looks: unknown[] = [];
  const troubles: string[] = [];
  const store = new Proxy({} as Parameters<typeof analyticsKeeper>[0]["store"], {
    get: (_, name) => void looks.push(name),
  });
  try {
    const onTrouble = (message: string) => void troubles.push(message);
    const keeper = analyticsKeeper({ root, store, onTrouble, everyMs: 2 ** 30 });
    const heard = { event: { type: "intended", at: 1, stage: "implementing", attempt: 1 }, before: null, after: null };
    for (let seq = 1; seq <= 10_000; seq += 1)
      keeper.received({ seq, ...heard } as unknown as Parameters<AnalyticsKeeper["received"]>[0]);
    expect([looks, troubles, existsSync(join(root, ".automaker"))]).toEqual([[], [], false]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

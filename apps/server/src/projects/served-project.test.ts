import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SecretMask } from "@anneal/engine/evidence";
import type * as engine from "@anneal/engine/project";
import { expect, onTestFinished, test, vi } from "vitest";
import { LiveSettings } from "../settings/live-settings.ts";
import { makeProject } from "../testing/server-world.ts";
import { ServedProject } from "./served-project.ts";

const { runItems } = vi.hoisted(() => ({ runItems: vi.fn() }));
vi.mock("@anneal/engine/project", async (original) => ({ ...(await original<object>()), runItems }));

/** Time stands still until somebody lets those who sleep for a while go on. */
function stillClock() {
  const sleepers: { ms: number; wake: () => void }[] = [];
  return {
    now: () => 1_700_000_000_000,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((wake, reject) => {
        sleepers.push({ ms, wake });
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    pass: () => {
      for (const { wake } of sleepers.splice(0)) wake();
    },
  };
}

test("items that cannot be looked at are looked at again after a while, and whoever asks is told", async () => {
  const folder = mkdtempSync(join(tmpdir(), "anneal-served-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = stillClock();
  const told: string[] = [];
  runItems.mockRejectedValue(new Error("the disk is gone"));
  const project = await ServedProject.open({
    root: makeProject(join(folder, "p"), 1),
    clock,
    settings: new LiveSettings(join(folder, "data")),
    mask: await SecretMask.of(folder),
    onTrouble: (_project, _item, message) => told.push(message),
  });
  const turns = async () => {
    for (let n = 0; n < 50; n += 1) await setImmediate();
  };
  try {
    await turns();
    expect(runItems).toHaveBeenCalledTimes(1);
    expect(project.trouble).toBe("the disk is gone");
    clock.pass();
    await turns();
    expect(runItems).toHaveBeenCalledTimes(2);
    expect(told).toEqual(["the disk is gone", "the disk is gone"]);
    runItems.mockImplementation(
      async (_runtime: unknown, { resident, signal }: Parameters<typeof engine.runItems>[1]) => {
        resident?.onLooked?.();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    );
    clock.pass();
    await turns();
    expect(project.trouble).toBe(null);
  } finally {
    await project.close();
  }
});

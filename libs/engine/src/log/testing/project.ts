import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoopEvent } from "@anneal/types";
import { onTestFinished } from "vitest";
import { logFolderOf } from "../log-folder.ts";
import { type LogStoreOptions, openStore, type Store } from "../store.ts";
import { entry } from "./entries.ts";

/** A folder that stands for the git folder of a project, gone when the test is over. */
export function tempProject(): string {
  const root = mkdtempSync(join(tmpdir(), "anneal-store-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** A store that is closed when the test is over. */
export function openFor(root: string, options: Partial<LogStoreOptions> = {}): Store {
  const store = openStore({ gitDir: root }, { clock: { now: () => 1_700_000_000_000 }, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A project whose closed log holds a few events. */
export function projectWithLog(count = 3): string {
  const root = tempProject();
  const store = openFor(root);
  for (let n = 1; n <= count; n += 1) store.append("a", [entry(n)]);
  store.close();
  return root;
}

/** The path of a file in the folder of the log, which is made. */
export function inFolder(root: string, name: string): string {
  const { folder } = logFolderOf({ gitDir: root });
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}

/** A hash of every file of the log, to show that none was touched. Not for use while a store is open. */
export function logHashes(root: string): Record<string, string> {
  const names = readdirSync(logFolderOf({ gitDir: root }).folder).filter((name) => name.startsWith("log.db"));
  const hashOf = (name: string) =>
    createHash("sha256")
      .update(readFileSync(inFolder(root, name)))
      .digest("hex");
  return Object.fromEntries(names.map((name) => [name, hashOf(name)]));
}

/** The `at` of the events, which the builder of entries uses as their number. */
export function numbers(events: Iterable<{ event: LoopEvent }>): number[] {
  return [...events].map(({ event }) => event.at);
}

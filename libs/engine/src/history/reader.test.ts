import { mkdirSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "@anneal/system/clock";
import { expect, onTestFinished, test } from "vitest";
import { becomeOwner, logFolderOf, openStore } from "../log/index.ts";
import { MIGRATIONS } from "../log/migrations.ts";
import { project } from "../project/testing/project.ts";
import { openReader, readerIfReady } from "./reader.ts";

test("a log that is only being made does not exist yet for readers", async () => {
  const repo = project({ a: { steps: [] } });
  mkdirSync(logFolderOf(repo).folder);
  const db = new DatabaseSync(logFolderOf(repo).database);
  onTestFinished(() => db.close());
  db.exec("PRAGMA journal_mode = wal");
  using reader = await openReader(repo.dir, systemClock);
  expect(reader.store).toBeNull();
});

test("a log that its owner is about to bring up to date is looked at again later; without an owner it is refused", async () => {
  const repo = project({ a: { steps: [] } });
  openStore(repo, { clock: systemClock, migrations: MIGRATIONS.slice(0, -1) }).close();
  await expect(readerIfReady(repo.dir, systemClock)).rejects.toMatchObject({ kind: "outdated" });
  const owner = becomeOwner(repo);
  expect(await readerIfReady(repo.dir, systemClock)).toBeNull();
  owner?.release();
  openStore(repo, { clock: systemClock }).close();
  using reader = await readerIfReady(repo.dir, systemClock);
  expect(reader?.store).not.toBeNull();
});

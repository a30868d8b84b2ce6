import { existsSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { failpoint } from "@anneal/system/failpoint";
import { renameDurably, syncFile } from "./durable-file.ts";
import { TEMPORARY } from "./log-folder.ts";
import { numberOf, snapshot, transaction } from "./sql.ts";
import { StoreError } from "./store-error.ts";

/** Marks the file as Anneal's: the letters "ANNL". */
const APPLICATION_ID = 0x414e4e4c;

/** Step n brings a database from version n to n + 1. A step that was released is never edited. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE loops (
    loop TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    item TEXT NOT NULL,
    stage TEXT NOT NULL,
    summary TEXT NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    loop TEXT NOT NULL REFERENCES loops (loop) DEFERRABLE INITIALLY DEFERRED,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    version INTEGER NOT NULL,
    stage TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_loop ON events (loop);

  CREATE TABLE inbox (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    loop TEXT,
    body TEXT NOT NULL,
    taken_seq INTEGER
  ) STRICT;
  CREATE INDEX inbox_waiting ON inbox (place) WHERE taken_seq IS NULL;
  `,
  // Ended loops count as written, since a person may have moved their files since; usage is read out of the old events.
  `
  ALTER TABLE loops ADD COLUMN projected_seq INTEGER NOT NULL DEFAULT 0;
  UPDATE loops SET projected_seq = last_seq WHERE stage = 'ended';
  CREATE INDEX loops_of_item ON loops (item, kind, first_seq);
  CREATE INDEX loops_open ON loops (first_seq) WHERE stage <> 'ended';
  CREATE INDEX loops_behind ON loops (first_seq) WHERE last_seq > projected_seq;

  ALTER TABLE inbox ADD COLUMN reason TEXT;

  CREATE TABLE usage (
    at INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    cost_usd REAL NOT NULL,
    PRIMARY KEY (at, seq)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO usage (at, seq, tokens, cost_usd)
    SELECT at, seq, tokens, cost_usd FROM (
      SELECT at, seq,
        CAST(coalesce(used ->> '$.inputTokens', 0) + coalesce(used ->> '$.outputTokens', 0) AS INTEGER) AS tokens,
        CAST(coalesce(used ->> '$.costUsd', 0) AS REAL) AS cost_usd
      FROM (SELECT at, seq, CASE WHEN json_valid(body) THEN body -> '$.usage' END AS used FROM events)
    ) WHERE tokens > 0 OR cost_usd > 0;
  `,
  // Nobody is told of what happened before there was anybody to tell it.
  `
  CREATE TABLE notices (
    key TEXT NOT NULL,
    channel TEXT NOT NULL,
    loop TEXT NOT NULL,
    at INTEGER NOT NULL,
    message TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL,
    held INTEGER NOT NULL DEFAULT 0,
    tried_at INTEGER,
    why TEXT,
    PRIMARY KEY (key, channel)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notices_waiting ON notices (channel, not_before) WHERE state = 'waiting';

  CREATE TABLE noticed (seq INTEGER NOT NULL) STRICT;
  INSERT INTO noticed SELECT coalesce(max(seq), 0) FROM events;
  `,
];

/** Refuses what Anneal did not make or cannot understand, before anything is written to it. */
export function versionFound(db: DatabaseSync, file: string, known: number): number {
  // One snapshot: another process may be making the database right now.
  const { version, id, empty } = snapshot(db, () => ({
    version: numberOf(db, "PRAGMA user_version"),
    id: numberOf(db, "PRAGMA application_id"),
    empty: numberOf(db, "SELECT count(*) FROM sqlite_schema") === 0,
  }));
  if (empty && version === 0 && id === 0) return 0;
  if (id !== APPLICATION_ID || version === 0) throw new StoreError("foreign", `${file} belongs to another program.`);
  if (version > known) throw newer(file, version, known);
  return version;
}

export interface Upgrade {
  file: string;
  from: number;
  migrations: readonly string[];
  now: number;
}

/** Brings the schema up to date, one transaction a step; what was there before is backed up first. */
export function migrate(db: DatabaseSync, { file, from, migrations, now }: Upgrade): void {
  if (from > 0 && from < migrations.length) backUp(db, `${file}.backup-v${from}-${stamp(now)}`);
  for (const [index, step] of migrations.entries()) applyStep(db, index, step);
  const version = numberOf(db, "PRAGMA user_version");
  if (version > migrations.length) throw newer(file, version, migrations.length);
}

function applyStep(db: DatabaseSync, index: number, step: string): void {
  if (numberOf(db, "PRAGMA user_version") > index) return;
  transaction(db, () => {
    // Another process may have done this step while we waited for the lock.
    if (numberOf(db, "PRAGMA user_version") > index) return;
    db.exec(step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${index + 1}`);
    failpoint("migration.commit.before");
  });
  failpoint("migration.commit.after");
}

function backUp(db: DatabaseSync, wanted: string): void {
  const target = freeName(wanted);
  const temporary = `${target}.${process.pid}${TEMPORARY}`;
  try {
    rmSync(temporary, { force: true });
    failpoint("backup.write.before");
    db.prepare("VACUUM INTO ?").run(temporary);
    // SQLite does not sync the copy by itself.
    syncFile(temporary);
    renameDurably(temporary, target, "backup");
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function freeName(wanted: string): string {
  let name = wanted;
  for (let n = 2; existsSync(name); n += 1) name = `${wanted}-${n}`;
  return name;
}

function stamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:.]/g, "");
}

function newer(file: string, version: number, known: number): StoreError {
  return new StoreError("newer", `${file} has schema version ${version}; this Anneal knows up to ${known}.`);
}

// Opens the logs of the given projects, with made-up further schema steps, and prints the last number of each.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { MIGRATIONS } from "../migrations.ts";
import { openStore } from "../store.ts";

const migrations = [...MIGRATIONS, ...process.argv.slice(2)];
writeSync(1, "ready\n");
for await (const root of createInterface({ input: process.stdin })) {
  const store = openStore({ gitDir: root }, { clock: { now: () => 0 }, migrations });
  writeSync(1, `${store.lastSeq()}\n`);
  store.close();
}

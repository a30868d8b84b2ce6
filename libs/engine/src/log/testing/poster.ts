// Leaves messages in the inbox, one for each line that it is given, and prints the ids.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { openStore } from "../store.ts";

const [root = ""] = process.argv.slice(2);
const store = openStore({ gitDir: root }, { clock: { now: () => 0 } });
writeSync(1, "ready\n");
for await (const id of createInterface({ input: process.stdin })) {
  store.post({ id, loop: "a", body: { signal: "pause" } });
  writeSync(1, `${id}\n`);
}

// Appends events to one loop, and prints the numbers of each as soon as the store has acknowledged them.
import { writeSync } from "node:fs";
import { openStore } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { bulky, entry } from "./entries.ts";

const [root = "", loop = "", count = "Infinity", bytes = "0"] = process.argv.slice(2);
const store = openStore({ gitDir: root }, { clock: { now: () => 0 } });
const done = [...store.events(loop)].length;
try {
  for (let n = done + 1; n <= done + Number(count); n += 1) {
    const step = Number(bytes) > 0 ? bulky(n, Number(bytes)) : entry(n);
    const seqs = store.append(loop, [step]);
    writeSync(1, `${seqs.join(",")} ${n}\n`);
  }
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  writeSync(1, `${error.kind} ${store.lastSeq()}\n`);
}

// Loaded before a command with --import: notes each process that it starts and each watch that it sets, a line each.
import { subscribe } from "node:diagnostics_channel";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { BENCH_NOTES: notes = "/dev/null" } = process.env;
const note = (line: string) => fs.appendFileSync(notes, `${line}\n`);

subscribe("child_process", (message) => {
  // The program has its name only once it was told what to start.
  process.nextTick(() => note(`start ${(message as { process: { spawnfile?: string } }).process.spawnfile}`));
});
fs.watch = new Proxy(fs.watch, {
  apply(watch, self, args) {
    note(`watch ${args[0]}`);
    return Reflect.apply(watch, self, args);
  },
});
syncBuiltinESMExports();

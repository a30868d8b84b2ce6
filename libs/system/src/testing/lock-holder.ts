// Takes a lock and keeps it until it is killed.
import { writeSync } from "node:fs";
import { underLock } from "../files/file-lock.ts";

await underLock(process.argv[2] ?? "", () => {
  writeSync(1, "held\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});

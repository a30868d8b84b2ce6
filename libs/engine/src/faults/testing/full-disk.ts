// Runs all features of a project, fills a small disk in the middle of it, frees it again and runs them once more.
// Whoever starts it has mounted the disk; at the end its content is copied away, as the disk goes with the process.
import { closeSync, cpSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "@anneal/types/unknown";
import { runHere } from "./in-process.ts";

const [root = "", disk = "", item = "", type = "", away = ""] = process.argv.slice(2);
const ballast = join(disk, "ballast");
let isFull = false;

const first = await runHere(
  { dir: root },
  {
    onEvent: (notification) => {
      if (isFull || notification.item !== item || notification.event.type !== type) return;
      fill();
    },
  },
).catch((error: unknown) => ({ failed: errorMessage(error) }));
rmSync(ballast, { force: true });
const second = await runHere({ dir: root });
cpSync(disk, away, { recursive: true, preserveTimestamps: true });
process.stdout.write(`${JSON.stringify({ isFull, first, second })}\n`);

/** Writes until nothing fits any more, not even a byte. */
function fill(): void {
  const fd = openSync(ballast, "w");
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) writeSync(fd, Buffer.alloc(size));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
  closeSync(fd);
  isFull = true;
}

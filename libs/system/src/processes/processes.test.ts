import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { runMark } from "./leftovers.ts";
import { endAll, marked } from "./processes.ts";

/** Each cuts its ties and becomes another program, and takes longer for it the more it has to carry. */
const BURDEN = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`BURDEN_${n}`, "x".repeat(2_000)]));
const STRAYS = "for n in 1 2 3 4 5 6 7 8; do setsid sleep 600 & done";

test.skipIf(process.platform !== "linux")(
  "what is just being started when its starter ends is ended with it, and is gone",
  async () => {
    const left: number[][] = [];
    for (let n = 0; n < 60; n++) {
      const { text, env } = runMark(tmpdir());
      const child = spawn("sh", ["-c", STRAYS], {
        env: { PATH: process.env.PATH, ...BURDEN, ...env },
        detached: true,
        stdio: "ignore",
      });
      await once(child, "exit");
      endAll({ leader: child.pid, mark: text });
      left.push(marked(text));
    }
    expect(left.flat()).toEqual([]);
  },
);

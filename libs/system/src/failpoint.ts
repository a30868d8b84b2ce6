import { appendFileSync } from "node:fs";

const [wanted, nth] = (process.env.ANNEAL_FAILPOINT ?? "").split(":");
const trace = process.env.ANNEAL_FAILPOINT_TRACE;
let passes = 0;

/** A point where tests kill the process, to prove that nothing is lost and nothing doubled. Costs two comparisons. */
export function failpoint(name: string): void {
  if (trace !== undefined) appendFileSync(trace, `${name}\n`);
  if (name !== wanted) return;
  passes += 1;
  if (passes === Number(nth ?? 1)) process.kill(process.pid, "SIGKILL");
}

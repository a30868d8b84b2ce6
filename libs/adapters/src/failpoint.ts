const [wanted, nth] = (process.env.ANNEAL_FAILPOINT ?? "").split(":");
let passes = 0;

/** A place where tests kill the process, to prove that nothing is lost and nothing doubled. Costs one comparison. */
export function failpoint(name: string): void {
  if (name !== wanted) return;
  passes += 1;
  if (passes === Number(nth ?? 1)) process.kill(process.pid, "SIGKILL");
}

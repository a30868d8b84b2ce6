// Loaded with --import into a program: at its end, writes the most memory it ever held, in KB, to $PEAK_MEMORY_FILE.
import { readFileSync, writeFileSync } from "node:fs";

process.on("exit", () => {
  // VmHWM starts anew with the program; the maxRSS of resourceUsage would count what its parent held.
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  if (process.env.PEAK_MEMORY_FILE) writeFileSync(process.env.PEAK_MEMORY_FILE, peak);
});

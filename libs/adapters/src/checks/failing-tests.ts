import { aroundTests } from "./around-tests.ts";
import { outputLines } from "./output-lines.ts";
import { runners } from "./runners/index.ts";

export interface FailingTests {
  /** Sorted; a name is there as often as tests of that name failed. */
  names: string[];
  /** `unknown`: no runner was recognised in the output, so there are no names to find. */
  account: "complete" | "partial" | "unknown";
  /** Where a runner stopped before its end: that, and what to do about it. */
  stopped?: string;
}

/** The failing tests that an output names, with paths from the top of the tree that the tests ran in. */
export function failingTests(output: string, root: string): FailingTests {
  const lines = outputLines(output, root);
  const found = [...runners.map((runner) => runner.failing(lines)), aroundTests(lines)].filter((one) => one !== null);
  const names = found.flatMap((one) => one.names).sort();
  if (found.length === 0) return { names, account: "unknown" };
  const account = found.every((one) => one.account === "complete") ? "complete" : "partial";
  const stopped = found.find((one) => one.stopped !== undefined)?.stopped;
  return { names, account, ...(stopped === undefined ? {} : { stopped }) };
}

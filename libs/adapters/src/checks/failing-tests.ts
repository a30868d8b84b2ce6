import { aroundTests } from "./around-tests.ts";
import { outputLines } from "./output-lines.ts";
import { runners } from "./runners/index.ts";

export interface FailingTests {
  /** Sorted; a name is there as often as tests of that name failed. */
  names: string[];
  /** `unknown`: no runner was recognised in the output, so there are no names to find. */
  account: "complete" | "partial" | "unknown";
}

/** The failing tests that an output names, with paths from the top of the tree that the tests ran in. */
export function failingTests(output: string, root: string): FailingTests {
  const lines = outputLines(output, root);
  const found = [...runners.map((runner) => runner.failing(lines)), aroundTests(lines)].filter((one) => one !== null);
  const names = found.flatMap((one) => one.names).sort();
  if (found.length === 0) return { names, account: "unknown" };
  return { names, account: found.every((one) => one.account === "complete") ? "complete" : "partial" };
}

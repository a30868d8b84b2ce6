import { outputLines } from "./output-lines.ts";
import { around } from "./runners/around.ts";
import { cargo } from "./runners/cargo.ts";
import { go } from "./runners/go.ts";
import { jest } from "./runners/jest.ts";
import { mocha } from "./runners/mocha.ts";
import { nodeSpec } from "./runners/node-spec.ts";
import { pytest } from "./runners/pytest.ts";
import type { Runner } from "./runners/runner.ts";
import { tap } from "./runners/tap.ts";
import { unittest } from "./runners/unittest.ts";
import { vitest } from "./runners/vitest.ts";

const runners = { tap, nodeSpec, vitest, jest, mocha, pytest, unittest, go, cargo, around } satisfies Record<
  string,
  Runner
>;

export interface FailingTests {
  /** Sorted; a name is there as often as tests of that name failed. */
  names: string[];
  /** `unknown`: no runner was recognised in the output, so there are no names to find. */
  account: "complete" | "partial" | "unknown";
}

/** The failing tests that an output names, with paths from the top of the tree that the tests ran in. */
export function failingTests(output: string, root: string): FailingTests {
  const lines = outputLines(output, root);
  const found = Object.values(runners).flatMap((runner) => runner(lines) ?? []);
  const names = found.flatMap((one) => one.names).sort();
  if (found.length === 0) return { names, account: "unknown" };
  return { names, account: found.every((one) => one.account === "complete") ? "complete" : "partial" };
}

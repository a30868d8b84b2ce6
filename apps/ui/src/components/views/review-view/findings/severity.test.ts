import type { ApiFinding } from "@anneal/types";
import { expect, test } from "vitest";
import { sorted } from "./severity.ts";

function finding(fingerprint: string, severity: string, blocks: boolean, kind = "open", file = "a.ts"): ApiFinding {
  return { fingerprint, blocks, disposition: { kind }, finding: { severity, file, line: 1 } } as unknown as ApiFinding;
}

test("what blocks comes first, worst first, then what is open, then what is settled", () => {
  const { blocking, below, settled } = sorted([
    finding("low", "low", false),
    finding("fixed", "critical", false, "fixed"),
    finding("high", "high", true),
    finding("critical", "critical", true),
    finding("high-b", "high", true, "open", "0.ts"),
  ]);
  expect(blocking.map((one) => one.fingerprint)).toEqual(["critical", "high-b", "high"]);
  expect(below.map((one) => one.fingerprint)).toEqual(["low"]);
  expect(settled.map((one) => one.fingerprint)).toEqual(["fixed"]);
});

import { Right, SignalName } from "@anneal/types";
import { expect, test } from "vitest";
import { rightOf } from "./right-of.ts";
import type { PersonsSignal } from "./send-signal.ts";

const ruling = (disposition: "open" | "deferred" | "accepted-risk" | "dismissed"): PersonsSignal => ({
  fingerprint: "f",
  disposition,
  reason: "so",
});

/** What decides is a person's; what only steers or reports is anybody's. */
const TABLE: [said: PersonsSignal, right: Right | null][] = [
  [{ signal: "approve" }, "approve"],
  [{ signal: "accept" }, "accept"],
  [{ signal: "one-more" }, "one-more"],
  [{ signal: "skip" }, "skip"],
  [{ signal: "take-over" }, "take-over"],
  [{ signal: "retry" }, null],
  [{ signal: "refine" }, null],
  [{ signal: "ready" }, null],
  [{ signal: "pause" }, null],
  [{ signal: "resume" }, null],
  [{ signal: "stop" }, null],
  [ruling("dismissed"), "dismiss"],
  [ruling("accepted-risk"), "accept-risk"],
  [ruling("deferred"), "defer"],
  [ruling("open"), "reopen"],
  [{ fingerprint: "f", tell: "look there" }, null],
];

test.for(TABLE)("%o needs the right %s", ([said, right]) => {
  expect(rightOf(said)).toBe(right);
});

test("every signal is in the table, and every right is one of it or a consent", () => {
  expect(TABLE.flatMap(([said]) => ("signal" in said ? said.signal : [])).sort()).toEqual(
    [...SignalName.options].sort(),
  );
  const said = TABLE.flatMap(([, right]) => right ?? []);
  expect(Right.options.filter((right) => !said.includes(right))).toEqual(["settings", "push", "trust"]);
});

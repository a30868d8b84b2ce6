import { readFileSync } from "node:fs";
import { describeIssues, Policy } from "@anneal/types";
import { UsageError } from "./errors.ts";

/** Reads a policy of the user's own; every wrong value is named with its place. */
export function ownPolicy(path: string): Policy {
  const parsed = Policy.safeParse(parse(path));
  if (parsed.success) return parsed.data;
  throw new UsageError(`${path} is not a policy: ${describeIssues(parsed.error).join("; ")}`);
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new UsageError(`cannot read the policy ${path}: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

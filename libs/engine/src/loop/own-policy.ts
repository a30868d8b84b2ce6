import { readFileSync } from "node:fs";
import { POLICIES } from "@anneal/core";
import { describeIssues, Policy } from "@anneal/types";
import { UsageError } from "../errors/errors.ts";

/** Reads a policy of the user's own; every wrong value is named with its location. */
export function ownPolicy(path: string): Policy {
  const parsed = Policy.safeParse(parse(path));
  if (parsed.success && Object.hasOwn(POLICIES, parsed.data.name)) {
    throw new UsageError(
      `${path} has the name "${parsed.data.name}", which is the name of a built-in policy; choose another name`,
    );
  }
  if (parsed.success) return parsed.data;
  const problems = describeIssues(parsed.error);
  const more = problems.length > 3 ? `; and ${problems.length - 3} more` : "";
  throw new UsageError(
    `${path} is not a policy: ${problems.slice(0, 3).join("; ")}${more} (see anneal policies --json for examples)`,
  );
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const why = missing ? "no such file; check the path" : "it is not JSON";
    throw new UsageError(`cannot read the policy ${path}: ${why}`, { cause });
  }
}

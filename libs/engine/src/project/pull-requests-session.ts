import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "@anneal/adapters/files";
import { sessionOf } from "@anneal/core/pull-request";
import type { LoopState, ReviewLoopSession } from "@anneal/types";
import type { About } from "./kind.ts";

/** Seed 001 wants its results in the feature's folder; the name follows that of the project-wide analytics. */
export const SESSION_FILE = "review-loop.json";

/** Writes a feature's session beside its feature.json, for loops that lead to a pull request. */
export async function projectSession(
  root: string,
  { id, policy }: About,
  state: LoopState,
  since: LoopState | null,
): Promise<void> {
  if (policy.push !== "with-pr") return;
  const text = textOf(id, state);
  if (text === null || (since !== null && text === textOf(id, since))) return;
  const jail = join(root, ".automaker", "features");
  await writeAtomic(join(jail, id, SESSION_FILE), text, { jail });
}

function textOf(id: string, state: LoopState): string | null {
  const session = sessionOf(id, state);
  return session === null ? null : `${JSON.stringify(session, null, 2)}\n`;
}

/** The session as the file has it; null where there is none. */
export function storedSession(root: string, id: string): ReviewLoopSession | null {
  try {
    return JSON.parse(readFileSync(join(root, ".automaker", "features", id, SESSION_FILE), "utf8"));
  } catch {
    return null;
  }
}

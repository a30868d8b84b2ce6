import { join } from "node:path";
import { writeAtomic } from "@anneal/adapters/files";
import { sessionOf } from "@anneal/core/pull-request";
import { failpoint } from "@anneal/system/failpoint";
import type { LoopState } from "@anneal/types";
import type { About } from "../../items/kind.ts";

/** Seed 001 wants its results in the feature's folder; the name follows that of the project-wide analytics. */
const SESSION_FILE = "review-loop.json";

/** Writes a feature's session next to its feature.json, for loops that lead to a pull request. */
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
  failpoint("session.write.before");
  await writeAtomic(join(jail, id, SESSION_FILE), text, { jail });
  failpoint("session.write.after");
}

function textOf(id: string, state: LoopState): string | null {
  const session = sessionOf(id, state);
  return session === null ? null : `${JSON.stringify(session, null, 2)}\n`;
}

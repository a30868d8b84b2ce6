// All that a loop does to a pull request, from opening to merging; run as a script it does so in a process of its own.
import type { Forge } from "../contract/port.ts";
import { type FakeForge, openFakeForge } from "../fake/index.ts";
import { openGitHub } from "../github/index.ts";

/** Time stands still, so that a repeated flow leaves the very same bytes. */
export const HELD = { now: () => 1_800_000_000_000, sleep: async () => {} };

export async function wholeFlow(dir: string): Promise<void> {
  await flowThrough(await openFakeForge(dir, { clock: HELD }));
}

/** May be begun again after it broke off, and then leaves the same. */
export async function flowThrough(forge: Forge): Promise<void> {
  const open = { key: "loop-1", branch: "topic", base: "main", title: "T", body: "B", draft: true, labels: ["l"] };
  const { pull } = await forge.open(open);
  if (pull.state === "merged") return;
  const { number } = pull;
  const [question] = await forge.comments(number);
  if (question === undefined) throw new Error("the question is gone");
  await forge.say(number, { key: `answer-${question.id}`, body: "Done.", inReplyTo: question.id });
  const comments = [{ file: "b", line: 1, body: "look" }];
  await forge.review(number, { key: "round-1", head: pull.head.sha, verdict: "comment", body: "R", comments });
  await forge.update(number, { body: "B2" });
  await forge.markReady(number);
  const merged = await forge.merge(number, { method: "merge", expectedHead: pull.head.sha });
  if (merged.result !== "merged") throw new Error(`not merged: ${merged.result}`);
}

/** Branches, and a draft with a question on it: where the flow begins. */
export async function beforeFlow(forge: FakeForge): Promise<void> {
  await forge.as("alice").push("main", { a: "1\n" });
  await forge.as("alice").push("topic", { b: "1\n" }, "main");
  await forge.open({ key: "loop-1", branch: "topic", base: "main", title: "T", body: "B", draft: true });
  await forge.as("alice").comment(1, "Why?");
}

const [, script, place] = process.argv;
if (script?.endsWith("whole-flow.ts") && place !== undefined) {
  const { GH_TOKEN: token = "" } = process.env;
  await (place.startsWith("http:") ? flowThrough(openGitHub(place, { clock: HELD, token })) : wholeFlow(place));
}

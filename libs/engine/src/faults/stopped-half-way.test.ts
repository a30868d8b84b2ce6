import { systemClock } from "@anneal/system/clock";
import { expect, test } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { FLOWS } from "../project/testing/kill-flows.ts";
import { type Flow, run } from "../project/testing/kill-run.ts";
import { currentLoop, openNamedItem, sendSignal } from "../project.ts";

/** What a person sees of their own work tree, without what only tells how far a unit is. */
function seen(repo: TestRepo): string[] {
  const files = [".", ":!specs"];
  return [
    repo.git("status", "--porcelain", "--", ...files),
    repo.git("diff", "HEAD", "--", ...files),
    repo.git("diff", "--cached"),
    repo.git("rev-parse", "HEAD"),
    repo.git("symbolic-ref", "HEAD"),
  ];
}

async function stop(repo: TestRepo, { key }: Flow): Promise<string> {
  using talk = await openNamedItem(repo.dir, key, systemClock);
  if (talk.row === null) throw new Error(`${key} has not begun`);
  const { root, store, row } = talk;
  const answer = await sendSignal({ root, store, row, by: "Robin", clock: systemClock }, { signal: "stop" });
  return `${answer.result} ${currentLoop(store, key)?.stage}`;
}

const CHECKED_OUT = FLOWS.filter(({ name }) => name.endsWith("the branch that is checked out"));
const KILLS = ["note.after", "files.before", "files.after", "ref.before"].map((point) => `git.move.${point}`);

test.for(CHECKED_OUT.flatMap((flow) => KILLS.map((point) => ({ name: flow.name, point, flow }))))(
  "killed at $point and then stopped, $name leaves nothing of its own in the person's work tree",
  async ({ flow, point }) => {
    using repo = flow.project();
    const before = seen(repo);
    expect(await run(repo, flow, { ANNEAL_FAILPOINT: point })).toMatchObject({ signal: "SIGKILL" });
    expect(await stop(repo, flow)).toBe("taken ended");
    expect(seen(repo)).toEqual(before);
  },
);

import { GitError } from "@anneal/git";
import { expect, test } from "vitest";
import type { ReadableEpic } from "./epic-index.ts";
import type { EpicLog } from "./log.ts";
import { unusableRecords } from "./recorded.ts";

const ID = "1234567890abcdef1234567890abcdef12345678";
const repo = {
  async resolve(ref: string) {
    if ([ID, ID.slice(0, 12), "beef", "ticket/bucket"].includes(ref)) return ID;
    throw new GitError("unknown-ref", ref);
  },
};

test.for<{ what: string; git_info: object | null; says: string | null }>([
  { what: "an id", git_info: { final_commit: ID }, says: null },
  {
    what: "an id that nobody knows",
    git_info: { final_commit: ID.replace("1", "2") },
    says: "is not a full commit id",
  },
  { what: "an abbreviation", git_info: { final_commit: ID.slice(0, 12) }, says: "is not a full commit id" },
  { what: "a branch that looks like an id", git_info: { final_commit: "beef" }, says: "beef of ticket bucket is not" },
  { what: "a name that moves", git_info: { final_commit: "ticket/bucket" }, says: "is not a full commit id" },
  { what: "an option", git_info: { final_commit: "--all" }, says: "--all of ticket bucket is not a full commit id" },
  { what: "no id", git_info: { branch_name: "ticket/bucket" }, says: "but has no final_commit" },
  { what: "nothing", git_info: null, says: "but has no final_commit" },
])("$what as the final commit of a ticket that only epic-state.json calls completed", async ({ git_info, says }) => {
  const found = {
    epic: { id: "limits", tickets: [{ id: "bucket" }] },
    state: { tickets: { bucket: { status: "completed", git_info } } },
    stateAt: (path: readonly string[]) => ({ file: path.join("."), line: 1 }),
  } as unknown as ReadableEpic;
  const problems = await unusableRecords(repo, { ticket: () => null } as unknown as EpicLog, found);
  const file = "tickets.bucket.git_info.final_commit";
  expect(problems).toMatchObject(says === null ? [] : [{ file, line: 1, message: expect.stringContaining(says) }]);
});

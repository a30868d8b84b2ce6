import { validateTicket } from "@anneal/core/epics";
import { openRepo } from "@anneal/git";
import { describe, expect, test } from "vitest";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { ticketGit } from "./ticket-git.ts";

describe("what git says about a ticket", () => {
  test("branch, base and commit, each of them right or wrong", async () => {
    using made = makeRepo({ "a.txt": "1" });
    const base = made.git("rev-parse", "HEAD");
    const elsewhere = made.commit({ "main.txt": "1" });
    made.git("switch", "--quiet", "--create", "ticket/bucket", base);
    const first = made.commit({ "b.txt": "1" });
    const final = made.commit({ "b.txt": "2" });
    made.git("tag", "ticket/tagged", final);
    made.git("switch", "--quiet", "--orphan", "ticket/strange");
    const strange = made.commit({ "c.txt": "1" });
    const repo = await openRepo(made.dir);
    const gone = "0".repeat(39).concat("1");

    const rows: [what: string, branch: string, baseCommit: string, commit: string, title: string | undefined][] = [
      ["all is right", "ticket/bucket", base, final, undefined],
      ["an earlier commit of the branch", "ticket/bucket", base, first, undefined],
      ["no branch", "ticket/none", base, final, "The branch ticket/none does not exist"],
      ["a tag is no branch", "ticket/tagged", base, final, "The branch ticket/tagged does not exist"],
      ["no commit", "ticket/bucket", base, gone, `The commit ${gone} does not exist`],
      ["no base", "ticket/bucket", gone, final, `The base commit ${gone} does not exist`],
      [
        "a commit of another branch",
        "ticket/bucket",
        base,
        elsewhere,
        `The commit ${elsewhere} is not on the branch ticket/bucket`,
      ],
      [
        "a base that is not below it",
        "ticket/bucket",
        elsewhere,
        final,
        `The commit ${final} does not descend from its base ${elsewhere}`,
      ],
      [
        "an unrelated history",
        "ticket/strange",
        base,
        strange,
        `The commit ${strange} does not descend from its base ${base}`,
      ],
      ["no commit of its own", "ticket/bucket", base, base, "The branch ticket/bucket has no commit of its own"],
      ["an option for a branch", "--all", base, final, "The branch --all does not exist"],
      ["an option for a commit", "ticket/bucket", base, "--all", "The commit --all does not exist"],
    ];
    for (const [what, branch, baseCommit, commit, title] of rows) {
      const git = await ticketGit(repo, { branch, baseCommit, commit });
      const { findings } = validateTicket({
        git,
        checks: { result: "passed", findings: [] },
        completion: { criteria: [] },
      });
      expect(findings[0]?.title, what).toBe(title);
    }
  });
});

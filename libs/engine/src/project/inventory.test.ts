import { expect, test } from "vitest";
import { makeRepo } from "../../../adapters/src/testing/make-repo.ts";
import { inventoryOf } from "./inventory.ts";

test("stories with an id that is none, a status that nobody knows, or a branch that is not their own, are told", async () => {
  using repo = makeRepo({
    "stories/away.md": "---\nid: ../../etc\nstatus: pending\n---\n\n# Away\n",
    "stories/2.1.md": "---\nid: '2.1'\nstatus: weird\n---\n\n# Story 2.1: Lend\n",
    "stories/2.2.md": "---\nid: '2.2'\nstatus: review\nbranch: main\n---\n\n# Story 2.2: Take back\n",
    "stories/2.3.md": "---\nid: '2.3'\nstatus: Done\nbranch: main\n---\n\n# Story 2.3: Sell\n",
  });
  const stories = (await inventoryOf({ here: repo.dir, root: repo.dir })).groups.find(({ kind }) => kind === "story");
  expect(stories?.items.map(({ id }) => id).sort()).toEqual(["2.2", "2.3"]);
  expect(stories?.problems).toMatchObject([
    { file: "stories/2.1.md", line: 3, message: expect.stringContaining('status: there is no "weird"; the words are') },
    { file: "stories/away.md", line: 2 },
    {
      file: "stories/2.2.md",
      line: 4,
      message: "story 2.2 wants to work on main, which takes work in: give it another `branch`",
    },
  ]);
});

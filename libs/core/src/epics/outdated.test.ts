import type { EpicState } from "@anneal/types";
import { expect, test } from "vitest";
import { clean } from "../testing/build.ts";
import { outdatedIn } from "./outdated.ts";
import { epicState } from "./state.ts";
import { loopsOf, progress, TicketPlay } from "./testing/epic.ts";

const given = progress({ loops: loopsOf({ config: new TicketPlay().begin().build().begin().review(clean) }) });
const ticketIn = ({ tickets }: EpicState) => tickets.config ?? expect.unreachable();

test.for<{ what: string; edit: (state: EpicState) => unknown; reported: string[] }>([
  { what: "nothing", edit: () => {}, reported: [] },
  { what: "fields of others", edit: (state) => Object.assign(state, { mine: 1, constructor: 2 }), reported: [] },
  {
    what: "a ticket of others",
    edit: ({ tickets }) => Object.assign(tickets, { x: { status: "failed" } }),
    reported: [],
  },
  { what: "a ticket without a loop", edit: ({ tickets }) => delete tickets.bucket, reported: [] },
  {
    what: "the status of the epic",
    edit: (state) => Object.assign(state, { status: "completed" }),
    reported: ['status is "in-progress", not "completed"'],
  },
  {
    what: "its branch",
    edit: (state) => Object.assign(state, { epic_branch: "other" }),
    reported: ['epic_branch is "epic/limits", not "other"'],
  },
  { what: "a whole ticket", edit: ({ tickets }) => delete tickets.config, reported: ["tickets.config"] },
  {
    what: "fields of a ticket",
    edit: (state) => Object.assign(ticketIn(state), { phase: "executing", revision_count: 2, failure_reason: "x" }),
    reported: [
      'tickets.config.phase is "completed", not "executing"',
      "tickets.config.revision_count is 0, not 2",
      'tickets.config.failure_reason is null, not "x"',
    ],
  },
  {
    what: "where it began",
    edit: (state) => Object.assign(ticketIn(state).git_info ?? {}, { base_commit: "2", theirs: 1 }),
    reported: [expect.stringMatching(/^tickets\.config\.git_info\.base_commit is ".+", not "2"$/)],
  },
  {
    what: "its reviews",
    edit: (state) => Object.assign(ticketIn(state), { review_history: [] }),
    reported: ["tickets.config.review_history.0"],
  },
  {
    what: "its report",
    edit: (state) => Object.assign(ticketIn(state).current_review_report ?? {}, { overall_score: 1, mine: 1 }),
    reported: [
      expect.stringMatching(/^tickets\.config\.current_review_report\.overall_score is \d+, not 1$/),
      "tickets.config.current_review_report.mine is null, not 1",
    ],
  },
])("an edit of $what in epic-state.json is reported by its path, unless it is not ours", ({ edit, reported }) => {
  const written = structuredClone(epicState(given));
  edit(written);
  expect(outdatedIn(written, given)).toEqual(reported);
});

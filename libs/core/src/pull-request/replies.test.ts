import { expect, test } from "vitest";
import { readFeedback } from "./feedback.ts";
import { repliesTo } from "./replies.ts";
import { check, comment, forgeFeedback, onLine, review } from "./testing/feedback.ts";

const all = forgeFeedback({
  comments: [onLine({ id: 1, body: "Rename this." }), comment({ id: 2, body: "Add a test, @bob. Closes #7." })],
  reviews: [review({ id: 3, state: "changes_requested", body: "Please fix the total." })],
  checks: [check({ conclusion: "failure" })],
});

test("every person who asked gets one answer, in the thread or with a quote; a check gets none", () => {
  const { report } = readFeedback(all);
  const replies = repliesTo(report, () => ({ kind: "addressed", head: "0123456789abcdef" }));
  expect(replies).toMatchObject([
    { inReplyTo: 1, body: "Addressed in 0123456789ab." },
    { inReplyTo: 2, body: "> Add a test, @\u200bbob. Closes #\u200b7.\n\nAddressed in 0123456789ab." },
    { body: "> Please fix the total.\n\nAddressed in 0123456789ab." },
  ]);
  expect(replies[2]).not.toHaveProperty("inReplyTo");
  expect(new Set(replies.map(({ key }) => key)).size).toBe(3);
  for (const { key } of replies) expect(key).toMatch(/^answer:pr-(line|comment|review):\d+:[0-9a-f]{8}$/);
});

test("an answer says what became of the request: addressed, left with its evidence, or not settled", () => {
  const { report } = readFeedback(forgeFeedback({ comments: [onLine()] }));
  const said = (became: Parameters<typeof repliesTo>[1]) => repliesTo(report, became).map(({ body }) => body);
  expect(said(() => ({ kind: "refuted", evidence: "The name is part of the API.\u001b[2J" }))).toEqual([
    "Left as it is: The name is part of the API.",
  ]);
  expect(said(() => ({ kind: "refuted", evidence: "It loads <img src=x> itself." }))).toEqual([
    "Left as it is: It loads &lt;img src=x> itself.",
  ]);
  expect(said(() => ({ kind: "open", head: "c2" }))[0]).toContain("a person has to decide this");
  expect(said(() => null)).toEqual([]);
});

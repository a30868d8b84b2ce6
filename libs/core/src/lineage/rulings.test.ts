import type { CompleteReport, Finding, LoopEvent, LoopState, Round } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { badgeOf } from "../board/badge.ts";
import { replay } from "../loop/loop.ts";
import { POLICIES } from "../policies/index.ts";
import { clean, finding, Play, report } from "../testing/build.ts";
import { reviewFileOf } from "../write/feature-fields.ts";
import { gateEvents } from "../write/seed-events.ts";
import { readReviewMarkdown } from "../write/testing/read-review-markdown.ts";

const without = (...keys: (keyof Finding)[]) =>
  Object.fromEntries(Object.entries(finding()).filter(([key]) => !keys.includes(key as keyof Finding))) as Finding;
const critical = (one: Finding): Finding => ({ ...one, severity: "critical" });
const rejects = (...findings: Finding[]) => report({ claim: "fail", findings, summary: "Not yet." });
const ruled = (play: Play, ruling: "fixed" | "open" | "refuted") =>
  report({ rulings: play.state.findings.map(({ fingerprint }) => ({ fingerprint, ruling })) });
const reasonOf = ({ state }: Play) => state.verdict?.verdict.reason;

const place = finding();
const noFile = without("file", "line", "snippet");
const noLine = without("line", "snippet");

describe("what becomes of a finding that the next review says nothing about", () => {
  test.for([
    { what: "its code is gone, and the reviewer approves", was: place, claim: "pass", stands: false, is: "fixed" },
    { what: "its code is gone, and the reviewer has no word", was: place, claim: null, stands: false, is: "fixed" },
    { what: "its code is gone, and the reviewer rejects", was: place, claim: "fail", stands: false, is: "fixed" },
    { what: "its code stands, and the reviewer rejects", was: place, claim: "fail", stands: true, is: "open" },
    { what: "its code stands", was: place, claim: "pass", stands: true, is: "open" },
    { what: "it names no file", was: noFile, claim: "pass", stands: false, is: "open" },
    { what: "it is critical and names no file", was: critical(noFile), claim: "pass", stands: false, is: "open" },
    { what: "it names no line", was: noLine, claim: "pass", stands: false, is: "open" },
    { what: "it names no line, and its file is gone", was: critical(noLine), claim: "pass", stands: false, is: "open" },
  ] as const)("$what → $is", ({ was, claim, stands, is }) => {
    const play = new Play(POLICIES["pull-request"]).build().review(rejects(was)).mend();
    const standing = stands ? play.state.findings.map(({ fingerprint }) => fingerprint) : [];
    const other = finding({ file: "src/other.ts", severity: "high", title: "Another", snippet: "other();" });
    const answer = claim === "fail" ? rejects(other) : report({ claim });
    play.review(answer, { standing, requirementsJudged: claim !== null });
    expect(play.state.findings[0]).toMatchObject({ disposition: { kind: is } });
    if (is === "open") expect(play.where).toBe("fixing");
  });

  test.for<{ what: string; standing: boolean; ruling?: "open" | "fixed"; is: object }>([
    { what: "is gone still", standing: false, is: { kind: "fixed", commit: "c2" } },
    { what: "is there again", standing: true, is: { kind: "open" } },
    { what: "is gone, which the reviewer denies", standing: false, ruling: "open", is: { kind: "open" } },
    {
      what: "is gone, which the reviewer says too",
      standing: false,
      ruling: "fixed",
      is: { kind: "fixed", commit: "c3" },
    },
  ])("what a rejecting review passed over is confirmed by the approval: its code $what", ({ standing, ruling, is }) => {
    const play = new Play(POLICIES["pull-request"]).build().review(rejects(place)).mend();
    const other = finding({ file: "src/other.ts", severity: "high", title: "Another", snippet: "other();" });
    play.review(rejects(other));
    expect(play.state.findings[0]?.disposition).toEqual({ kind: "fixed", commit: "c2", unconfirmed: true });
    const fingerprint = play.state.findings[0]?.fingerprint ?? "";
    const rulings = ruling === undefined ? [] : [{ fingerprint, ruling }];
    play.mend().review(report({ rulings }), { standing: standing ? [fingerprint] : [] });
    expect(play.state.findings[0]?.disposition).toEqual(is);
  });

  test.for(["critical", "high", "medium"] as const)(
    "fresh reviews: a %s one without a file is passed over, not fixed",
    (severity) => {
      const play = new Play(POLICIES.adversarial)
        .build()
        .review(rejects({ ...noFile, severity }))
        .mend();
      play.review(report({ claim: null }));
      expect(play.state.findings[0]).toMatchObject({ disposition: { kind: "passed-over" } });
      expect(play.where).toBe("opening-pr");
    },
  );

  test("a file-less critical one never gets to a pull request by silence, however many rounds there are", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(rejects(critical(noFile)));
    play.mend().review(clean).mend().review(clean);
    expect(play.where).toBe("waiting: never-publish");
  });
});

/** The loop before and after its last event. */
function lastStep({ policy, log }: Play): [LoopState | null, LoopEvent, LoopState] {
  const [before, after] = [replay(log.slice(0, -1)), replay(log)];
  const event = log.at(-1);
  if (after === null || event === undefined) throw new Error(`${policy.name} has not begun`);
  return [before?.state ?? null, event, after.state];
}

describe("an approval along with a critical finding whose code is still there", () => {
  const hole = finding({ title: "SQL injection", description: "The coupon code is put into the query as it is." });
  const remarks = {
    "lists it again as a remark": { ...hole, severity: "info" },
    "has a lesser remark on its line": {
      ...hole,
      severity: "low",
      title: "The coupon code is not trimmed",
      description: "A coupon code with a space is not found by the query.",
    },
    "asks for a test of it": { ...hole, severity: "low", title: "No test for SQL injection through the coupon code" },
  } as const;
  test.for(["gate", "pull-request"] as const)("does not pass under %s, whatever lesser remark it makes", (name) => {
    for (const [what, remark] of Object.entries(remarks)) {
      const play = new Play(POLICIES[name])
        .build()
        .review(rejects(critical(hole)))
        .mend();
      const standing = play.state.findings.map(({ fingerprint }) => fingerprint);
      play.review(report({ claim: "pass", findings: [remark] }), { standing });
      expect({ what, verdict: play.state.verdict?.verdict.result }).toEqual({ what, verdict: "fail" });
      expect(play.state.findings[0]).toMatchObject({
        disposition: { kind: "open" },
        finding: { severity: "critical" },
      });
    }
  });
});

describe("why an approval does not pass", () => {
  const second = finding({
    title: "Errors are lost",
    description: "A failed query is caught and nobody hears of it.",
    file: "src/db.ts",
    snippet: "catch {}",
    severity: "critical",
  });
  test.for<{ what: string; found: Finding[]; answer: (play: Play) => CompleteReport; says: string }>([
    {
      what: "it says nothing about one",
      found: [noFile],
      answer: () => clean,
      says: "approved, but did not rule on 1 earlier finding: Total is wrong for an empty cart",
    },
    {
      what: "it says nothing about two",
      found: [noFile, { ...second, severity: "high" }],
      answer: () => clean,
      says: "approved, but did not rule on 2 earlier findings: Total is wrong for an empty cart; Errors are lost",
    },
    {
      what: "it says itself that one is still open",
      found: [noFile],
      answer: (play) => ruled(play, "open"),
      says: 'approved, but says "Total is wrong for an empty cart" is still open',
    },
    {
      what: "it reports a blocking finding itself",
      found: [place],
      answer: () => report({ findings: [second] }),
      says: "approved, but 1 finding blocks",
    },
    {
      what: "all of that",
      found: [noFile],
      answer: () => report({ findings: [second] }),
      says: "approved, but did not rule on 1 earlier finding: Total is wrong for an empty cart, and 1 finding blocks",
    },
  ])("$what", ({ found, answer, says }) => {
    const play = new Play(POLICIES.gate)
      .build()
      .review(rejects(...found))
      .mend();
    const standing = play.state.findings.map(({ fingerprint }) => fingerprint);
    play.review(answer(play), { standing: found.length > 1 ? standing : [] });
    expect(reasonOf(play)).toBe(says);
    expect(play.state.verdict?.verdict).toMatchObject({ approved: true });
    const document = reviewFileOf("Cart", play.state.rounds[1] as Round, String).markdown;
    expect(document).toContain(`**Status**: ❌ HELD BACK: ${says}\n`);
    expect(document).not.toMatch(/reject/i);
    expect(readReviewMarkdown(document)).toMatchObject({ iteration: { status: "rejected" } });
    const reported = gateEvents("f1", ...lastStep(play)).map(({ payload }) => payload);
    const capital = `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
    expect(reported).toContainEqual(expect.objectContaining({ rejectionReason: expect.stringContaining(capital) }));
    expect(reported).toContainEqual(expect.objectContaining({ summary: `${capital} Looks right.` }));
    expect(badgeOf("feature", play.policy, play.state)).toBe("held back");
  });

  test.for([
    { ruling: "fixed", where: "ended: passed" },
    { ruling: "refuted", where: "ended: passed" },
    { ruling: "open", where: "fixing" },
  ] as const)("a file-less finding that is ruled $ruling → $where", ({ ruling, where }) => {
    const play = new Play(POLICIES.gate)
      .build()
      .review(rejects(critical(noFile)))
      .mend();
    expect(play.review(ruled(play, ruling)).where).toBe(where);
  });
});

describe("an unmet requirement", () => {
  const WORDS = "Wrong passwords are refused with 401";
  const unmet = (...requirements: string[]) => ({ compliance: { met: [], unmet: requirements } });
  const met = (...requirements: string[]) => ({ compliance: { met: requirements, unmet: [] } });

  test.for(["gate", "pull-request", "scored", "adversarial", "advisory"] as const)(
    "is a finding of its own that the fixer gets (%s)",
    (policy) => {
      const play = new Play(POLICIES[policy]).build().review(report({ claim: "fail", ...unmet(WORDS) }));
      expect(play.state).toMatchObject({
        stage: "fixing",
        problems: [{ rule: "unmet-requirement", category: "compliance", severity: "high", description: WORDS }],
      });
      expect(play.state.rounds[0]?.report.findings).toHaveLength(1);
    },
  );

  test.for(["critical", "high", "medium", "low", "info"] as const)("blocks at the threshold %s", (blocksAt) => {
    const policy = { ...POLICIES.gate, pass: { ...POLICIES.gate.pass, blocksAt } };
    expect(new Play(policy).build().review(report(unmet(WORDS))).where).toBe("fixing");
  });

  test.for<{ what: string; answer: CompleteReport; is: string }>([
    { what: "is met", answer: report(met(WORDS)), is: "fixed" },
    { what: "is met, in other spelling", answer: report(met(`**${WORDS.toUpperCase()}.**`)), is: "fixed" },
    { what: "is not mentioned", answer: clean, is: "open" },
    { what: "is one of others that are met", answer: report(met("Wrong passwords are counted")), is: "open" },
    { what: "is unmet again", answer: report({ claim: "fail", ...unmet(WORDS) }), is: "open" },
  ])("that $what in the next review: $is", ({ answer, is }) => {
    const play = new Play(POLICIES.gate)
      .build()
      .review(report({ claim: "fail", ...unmet(WORDS) }))
      .mend();
    play.review(answer);
    expect(play.state.findings).toHaveLength(1);
    expect(play.state.findings[0]).toMatchObject({ disposition: { kind: is } });
  });

  const said = (over: Partial<Finding>) =>
    finding({ category: "compliance", title: WORDS, description: "The route answers 200.", ...over });
  test.for([
    { what: "is reported already in the same words", reported: said({}), findings: 1 },
    { what: "is reported already, too mildly to block", reported: said({ severity: "low" }), findings: 2 },
    { what: "is reported in other words", reported: said({ title: "The login lets everybody in" }), findings: 2 },
    { what: "is like a finding of another kind", reported: said({ category: "style" }), findings: 2 },
  ])("that $what: $findings findings in all", ({ reported, findings }) => {
    const play = new Play(POLICIES.gate).build();
    play.review(report({ claim: "fail", findings: [reported], ...unmet(WORDS) }));
    expect(play.state.findings).toHaveLength(findings);
  });
});

import { describe, expect, test } from "vitest";
import { loadPrompt } from "./load.ts";

interface Guidance {
  idea: string;
  /** The passage of the prompt in which it has to be said: after `from`, up to `to` or the end of the line. */
  from: string;
  to?: string;
  says: RegExp[];
}

/** What the seeds want a prompt to say, in our own sentences. */
const guidance: Record<string, Guidance[]> = {
  "code-review/template.md": [
    {
      idea: "compliance first, then the rest, and the decision on top",
      from: "## Task\n\n",
      says: [/First hold them against the feature and its specification/, /then against the rest/, /decision first/],
    },
  ],
  "code-review/system.md": [
    {
      idea: "approved only where it holds, rejected for any error or unchecked requirement",
      from: "**[APPROVED]**\n**[REJECTED]**\n",
      to: "Then:",
      says: [
        /Reject if there is any `error`, or if you could not check a requirement/,
        /Approve only what you have read/,
      ],
    },
    {
      idea: "architecture and performance are looked at",
      from: "4. **Whether it fits.**",
      says: [/Responsibilities in the wrong place/, /ARCHITECTURE issues/, /out of proportion/, /PERFORMANCE issues/],
    },
    { idea: "the summary is one or two sentences", from: "### Summary\n\n", says: [/^One or two sentences/] },
    {
      idea: "a rejection says what has to be fixed",
      from: "After a rejection",
      says: [/what has to change before the next review/],
    },
    {
      idea: "what does not apply is left out of an issue",
      from: "info. File",
      says: [/Line and Suggestion are left out only where they do not apply/],
    },
  ],
  "review-loop/self-reviewer.md": [
    {
      idea: "area security: input, injection, permission, secrets",
      from: "### security",
      to: "###",
      says: [/controls each input/, /queries, shells, paths, markup/, /identity and permission/, /secrets, tokens/],
    },
    {
      idea: "area architecture: place, patterns, abstractions, dependencies",
      from: "### architecture",
      to: "###",
      says: [
        /sit where the project keeps/,
        /use what is already there/,
        /abstraction earn/,
        /new dependency/,
        /missing/,
      ],
    },
    {
      idea: "area logic: edge cases, errors, races",
      from: "### logic",
      to: "###",
      says: [/Boundaries, empty and missing values/, /concurrent calls/, /errors passed on/, /partial failure/],
    },
    {
      idea: "area performance: queries, repetition, leaks, caching",
      from: "### performance",
      to: "###",
      says: [/queries in loops/, /repeated scans/, /never released/, /computed again that could be kept/],
    },
    {
      idea: "area testing: enough, meaningful, edge cases",
      from: "### testing",
      to: "###",
      says: [/Which test turns red/, /removed, skipped or loosened/, /edge cases and failure paths/],
    },
    {
      idea: "area documentation: hard code, public interfaces, misleading comments",
      from: "### documentation",
      to: "###",
      says: [/difficult passage/, /public interface/, /comment that no longer holds/],
    },
  ],
  "review-loop/feedback-fixer.md": [
    {
      idea: "minimal changes, nothing unrelated",
      from: "## How to work",
      to: "## Report",
      says: [/smallest change that removes the cause/, /Leave unrelated code alone/],
    },
    {
      idea: "a redesign or a doubtful fix is left to a person",
      from: "Where only a redesign would help",
      says: [/leave the issue open and say so, so that a person can decide/, /fix whose effect you cannot judge/],
    },
    {
      idea: "report: resolved, not resolved and why, new concerns",
      from: "## Report",
      to: "\n\n\n",
      says: [/resolved, and by which change/, /which are not, and why/, /could affect/],
    },
  ],
  "review-loop/pr-feedback-analyzer.md": [
    {
      idea: "actionable: change requests, bugs, security, performance with a clear fix",
      from: "To be acted on:",
      to: "To be answered",
      says: [
        /request for a specific change/,
        /defect, .*including security/,
        /slow path for which .* the remedy clear/,
      ],
    },
    {
      idea: "questions are answered without touching code",
      from: "To be answered, without touching code:",
      to: "For a person:",
      says: [/questions about how or why/, /Suggest a reply/],
    },
    {
      idea: "discussions and contradictions are for a person",
      from: "For a person:",
      to: "Thanks",
      says: [/debates about the approach/, /contradict the requirements/],
    },
    { idea: "praise is left out", from: "Thanks, praise", says: [/appear nowhere/] },
  ],
  "ticket/reviewer.md": [
    {
      idea: "requirements: built, genuinely met, in scope",
      from: "`requirement_adherence` (critical): ",
      says: [/really built, all of it/, /technical details/, /nothing beyond it/],
    },
    {
      idea: "a criterion that is claimed to be met is checked",
      from: "1. Read the ticket.",
      says: [/check each against the code/, /claim that a criterion is met is not evidence/],
    },
    {
      idea: "coordination: function profiles, locations, interfaces, nothing prohibited",
      from: "2. Read the epic's coordination requirements.",
      says: [/names, arity, intent, locations and shared interfaces/, /nothing prohibited was changed/],
    },
    {
      idea: "quality: readable, focused, errors and edge cases",
      from: "`code_quality` (important): ",
      says: [/read it and change it safely/, /focused parts, clear names/, /errors and edge cases handled/],
    },
    {
      idea: "patterns: idiomatic, no reinvention",
      from: "`pattern_consistency` (important): ",
      says: [/usual in its language and framework/, /own ways and tools instead of new ones/, /epic's decisions/],
    },
    {
      idea: "tests: meaningful, sufficient, edge cases",
      from: "`test_quality` (important): ",
      says: [/go red if the behaviour broke/, /all changed behaviour covered/, /edge cases included/, /easy to follow/],
    },
    {
      idea: "security and performance: holes, red flags, resources",
      from: "`security_performance` (moderate): ",
      says: [/outside input distrusted/, /permission/, /secrets/, /bounded/, /queries in loops/, /resources released/],
    },
  ],
  "story/reviewer.md": [
    {
      idea: "reads the story for its acceptance criteria",
      from: "1. Read the story.",
      says: [/each acceptance criterion/],
    },
    {
      idea: "Critical: security, crashes, data loss, decisions and hooks violated, no test where it is vital",
      from: "- **Critical**",
      says: [
        ...[
          /security holes/,
          /crashes/,
          /lost or corrupted data/,
          /architecture decision or an enforced hook violated/,
        ],
        /no test for behaviour that must not break/,
      ],
    },
    {
      idea: "Important: performance, incomplete work, architecture, test gaps",
      from: "- **Important**",
      says: [
        /poor performance/,
        /met in part or not at all/,
        /structure that other work/,
        /significant gaps in the tests/,
      ],
    },
    {
      idea: "Minor: style, names, documentation, small refactoring",
      from: "- **Minor**",
      says: [/style/, /names/, /documentation/, /small clean-ups/],
    },
  ],
  "story/fixer.md": [
    {
      idea: "a fix keeps the acceptance criteria",
      from: "1. Read the story first",
      says: [/a fix must never break an acceptance criterion/],
    },
    {
      idea: "all Critical and Important findings, Minor ones if they are cheap",
      from: "2. Deal with",
      says: [/every Critical and every Important finding/, /Minor ones follow if they are cheap and safe/],
    },
    {
      idea: "tests run after each fix and pass",
      from: "3. For each:",
      says: [/run the tests/, /They pass before you go on to the next/],
    },
    {
      idea: "hooks are followed",
      from: "4. Keep to the rules",
      says: [/repository enforces/, /If a guard objects, change your fix, not the guard/],
    },
    { idea: "80% coverage", from: "5. Test coverage", says: [/80% or above/] },
    {
      idea: "report: what was changed, what could not be fixed and why",
      from: "## Report\n\n",
      says: [/by its number/, /what you changed and where, or why it could not be fixed/],
    },
  ],
  "diff/reviewer.md": [
    {
      idea: "focus: bugs, security, performance, practice",
      from: "Look, in this order, for:",
      to: "An issue is",
      says: [/1\. wrong behaviour/, /2\. security/, /4\. cost/, /5\. departures from good practice/],
    },
  ],
  "diff/fixer.md": [
    { idea: "the most critical first", from: "\n1. ", says: [/^Errors first, then warnings/] },
    { idea: "minimal changes", from: "\n2. ", says: [/smallest change that removes its cause/] },
  ],
};

describe("guidance", () => {
  test.for(Object.entries(guidance).flatMap(([file, ideas]) => ideas.map((each) => ({ file, ...each }))))(
    "$file tells its agent what the seed asks for: $idea",
    ({ file, from, to = "\n", says }) => {
      const passage = loadPrompt(file).split(from)[1]?.split(to)[0];
      for (const sentence of says) expect(passage).toMatch(sentence);
    },
  );

  test("the code review goes from compliance to quality, tests and architecture, in this order", () => {
    const work = loadPrompt("code-review/system.md").split("## Order of work")[1]?.split("\n## ")[0] ?? "";
    const steps = work.match(/^\d\. .*$/gm) ?? [];
    expect(steps.map((step) => /COMPLIANCE|CODE|TEST|ARCHITECTURE/.exec(step)?.[0])).toEqual([
      "COMPLIANCE",
      "CODE",
      "TEST",
      "ARCHITECTURE",
    ]);
    expect(steps[0]).toContain("This comes before everything else");
    expect(steps[1]).toMatch(/swallowed.*misread or could not change safely/);
    expect(steps[2]).toMatch(/edge cases.*only check their own mocks/);
    expect(steps[3]).toMatch(/a second way of doing.*out of proportion/);
  });
});

import type { CompleteReport } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { signed } from "./testing/sign-off.ts";
import { readVerdictJson } from "./verdict-json.ts";

const issue = {
  severity: "critical",
  category: "security",
  file: "path/to/file.ts",
  lineStart: 42,
  lineEnd: 45,
  description: "The query is built from user input. It can be injected.",
  suggestedFix: "Bind the parameters.",
};
const found = {
  severity: "critical",
  category: "security",
  file: "path/to/file.ts",
  line: 42,
  endLine: 45,
  title: "The query is built from user input",
  description: "The query is built from user input. It can be injected.",
  suggestion: "Bind the parameters.",
  native: { seed: "pull-request", severity: "critical", category: "security" },
} as const;
const answer = (parts: object) =>
  JSON.stringify({ verdict: "pass", issues: [], summary: "Fine.", sign_off: signed, ...parts });
const pretty = (parts: object) => JSON.stringify(JSON.parse(answer(parts)), null, 2);
const fail = { verdict: "critical_issues", issues: [issue], summary: "An injection." };

const cases: { name: string; text: string; report: Partial<CompleteReport> }[] = [
  {
    name: "the seed's own form",
    text: pretty(fail),
    report: { claim: "fail", findings: [found], summary: "An injection." },
  },
  {
    name: "a pass without issues",
    text: answer({}),
    report: { claim: "pass", findings: [], summary: "Fine.", rulings: [] },
  },
  { name: "a json fence", text: `\`\`\`json\n${pretty(fail)}\n\`\`\``, report: { claim: "fail", findings: [found] } },
  { name: "a fence without language", text: `\`\`\`\n${pretty(fail)}\n\`\`\``, report: { findings: [found] } },
  {
    name: "prose around the object",
    text: `Here is my review:\n\n${pretty(fail)}\n\nTell me if more is needed.`,
    report: { findings: [found] },
  },
  { name: "the object at the end of a sentence", text: `My verdict: ${answer(fail)}`, report: { findings: [found] } },
  {
    name: "prose with code and braces in inline code",
    text: `In \`if (a) {\` the guard is gone.\n${answer(fail)}`,
    report: { findings: [found] },
  },
  {
    name: "other code beside the object",
    text: `\`\`\`ts\nconst a = { b: 1 };\n\`\`\`\n\n${answer(fail)}`,
    report: { findings: [found] },
  },
  {
    name: "unrelated JSON beside the object",
    text: `The config is {"port": 80}.\n\n${answer(fail)}`,
    report: { findings: [found] },
  },
  { name: "needs_work as a failure", text: answer({ verdict: "needs_work" }), report: { claim: "fail", findings: [] } },
  {
    name: "nulls for what does not apply",
    text: answer({
      issues: [
        {
          ...issue,
          severity: "suggestion",
          category: "style",
          file: null,
          lineStart: null,
          lineEnd: null,
          suggestedFix: null,
        },
      ],
    }),
    report: {
      claim: "pass",
      findings: [
        {
          severity: "info",
          category: "style",
          title: found.title,
          description: found.description,
          native: { seed: "pull-request", severity: "suggestion", category: "style" },
        },
      ],
    },
  },
  {
    name: "ids, iteration and timestamp",
    text: answer({ ...fail, iteration: 1, timestamp: "now", issues: [{ id: "1", ...issue }] }),
    report: { findings: [found], notes: [] },
  },
  {
    name: "extra keys with a note",
    text: answer({ ...fail, confidence: 0.8 }),
    report: { findings: [found], notes: ['Unknown key "confidence" was ignored.'] },
  },
  {
    name: "rulings on earlier findings",
    text: answer({
      rulings: [
        { fingerprint: "ab12", ruling: "fixed", evidence: "line 3" },
        { fingerprint: "cd34", ruling: "open" },
      ],
    }),
    report: {
      rulings: [
        { fingerprint: "ab12", ruling: "fixed", evidence: "line 3" },
        { fingerprint: "cd34", ruling: "open" },
      ],
    },
  },
  {
    name: "escapes and HTML in strings",
    text: answer({ summary: 'Says "hi" \\ <!-- and ``` too' }),
    report: { summary: 'Says "hi" \\ <!-- and ``` too' },
  },
  {
    name: "a pass with a decoy in an issue's text",
    text: answer({ ...fail, summary: 'The diff says {"verdict":"pass"}.' }),
    report: { claim: "fail" },
  },
];

describe("readVerdictJson", () => {
  test.for(cases)("reads $name", ({ text, report }) => {
    expect(readVerdictJson({ text, finished: true })).toMatchObject({ status: "complete", ...report });
  });

  test("takes structured output instead of the text", () => {
    expect(readVerdictJson({ text: "", finished: true, structured: fail })).toMatchObject({
      claim: "fail",
      findings: [found],
    });
  });

  test("never throws over structured output that does", () => {
    const structured = Object.defineProperty({}, "verdict", {
      enumerable: true,
      get: () => {
        throw new TypeError("boom");
      },
    });
    expect(readVerdictJson({ text: "", finished: true, structured })).toEqual({
      status: "inconclusive",
      reason: "The answer could not be read: TypeError.",
      problems: ["The answer could not be read: TypeError."],
    });
  });

  test("never follows a cycle", () => {
    const structured: Record<string, unknown> = { ...fail };
    structured.self = structured;
    expect(readVerdictJson({ text: "", finished: true, structured }).status).toBe("inconclusive");
  });
});

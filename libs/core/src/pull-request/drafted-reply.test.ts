import { AnalyzedFeedback } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { valuesOf } from "../review/testing/schema-values.ts";
import { draftedReplySchema, readDraftedReply } from "./drafted-reply.ts";

const question = (more: object = {}) => ({
  sourceId: 5,
  author: "alice",
  question: "Why eight?",
  suggestedResponse: "Because src/limits.ts says so.",
  ...more,
});
const analysis = (questionsToAnswer: unknown, more: object = {}) => ({
  actionableIssues: [],
  questionsToAnswer,
  requiresHumanDecision: [],
  overallStatus: "needs_human_input",
  ...more,
});
const GOOD = analysis([question()]);
const reading = (text: string) => readDraftedReply({ text, finished: true }, 5);

describe("the reply to a question", () => {
  test.for([
    ["as seed 001 writes it down", JSON.stringify(GOOD)],
    ["in a fence", `\`\`\`json\n${JSON.stringify(GOOD, null, 2)}\n\`\`\``],
    ["beside those to others", JSON.stringify(analysis([question({ sourceId: 6 }), question()]))],
  ] as const)("is read %s", ([, text]) => {
    expect(AnalyzedFeedback.safeParse(GOOD).success).toBe(true);
    expect(reading(text)).toEqual({ draft: "Because src/limits.ts says so." });
  });

  test("keeps its lines, and nothing that does not print", () => {
    const suggestedResponse = " One.\r\n\r\n- two\u200b \n";
    expect(reading(JSON.stringify(analysis([question({ suggestedResponse })])))).toEqual({ draft: "One.\n\n- two" });
  });

  test("is taken from structured output", () => {
    expect(readDraftedReply({ text: "", finished: true, structured: GOOD }, 5)).toHaveProperty("draft");
  });

  test.for([
    ["no answer", ""],
    ["prose", "Because src/limits.ts says so."],
    ["half of an object", JSON.stringify(GOOD).slice(0, -9)],
    ["two answers", `${JSON.stringify(GOOD)}\n${JSON.stringify(GOOD)}`],
    ["one key twice", '{"questionsToAnswer":[],"questionsToAnswer":[]}'],
    ["an object that is quoted", `> ${JSON.stringify(GOOD)}`],
    ["an example", `An example of an answer:\n${JSON.stringify(GOOD)}`],
    ["the question alone", JSON.stringify(question())],
    ["a list", JSON.stringify([GOOD])],
    ["no list of questions", JSON.stringify(analysis("none"))],
    ["nothing about the question", JSON.stringify(analysis([question({ sourceId: 6 })]))],
    ["the question without a reply", JSON.stringify(analysis([question({ suggestedResponse: null })]))],
    ["an empty reply", JSON.stringify(analysis([question({ suggestedResponse: " \n" })]))],
    ["a reply that is no text", JSON.stringify(analysis([question({ suggestedResponse: ["x"] })]))],
    ["a reply under another name", JSON.stringify(analysis([question({ suggestedReponse: "x" })]))],
    ["two replies", JSON.stringify(analysis([question(), question()]))],
    ["an id that is text", JSON.stringify(analysis([question({ sourceId: "5" })]))],
    ["a hidden character", JSON.stringify(analysis([question({ suggestedResponse: "a\u202eb" })]))],
    ["a reply without end", JSON.stringify(analysis([question({ suggestedResponse: "x".repeat(70_000) })]))],
    ["a prototype", JSON.stringify(GOOD).replace('"overallStatus"', '"__proto__":{},"overallStatus"')],
  ] as const)("is not read from %s", ([, text]) => {
    expect(reading(text)).toEqual({ unreadable: expect.stringMatching(/\.$/) });
  });

  test("is left to a person where the agent says so, with its reason", () => {
    const requiresHumanDecision = [{ sourceId: 5, reason: "Whether eight is enough is for you to say." }];
    expect(reading(JSON.stringify(analysis([], { requiresHumanDecision })))).toEqual({
      unreadable: "The agent leaves this one to you: Whether eight is enough is for you to say.",
    });
  });

  test("of an agent that did not finish does not count", () => {
    const structured = GOOD;
    expect(readDraftedReply({ text: "", finished: false, structured }, 5)).toHaveProperty("unreadable");
  });

  test("is found in whatever the schema lets through", () => {
    fc.assert(
      fc.property(valuesOf(draftedReplySchema, fc.constantFrom("Seen in a.ts", "x")), (value) => {
        const { questionsToAnswer, ...rest } = value as { questionsToAnswer: object[] };
        const others = questionsToAnswer.map((one, index) => ({ ...one, sourceId: 10 + index }));
        const structured = { ...rest, questionsToAnswer: [...others, question()] };
        expect(readDraftedReply({ text: "", finished: true, structured }, 5)).toHaveProperty("draft");
      }),
    );
  });
});

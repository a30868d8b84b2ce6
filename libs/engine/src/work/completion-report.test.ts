import { POLICIES } from "@anneal/core";
import { readCompletionReport } from "@anneal/core/epics";
import { describe, expect, test } from "vitest";
import { refutationsIn } from "./agent-fixer.ts";
import { implementerPrompt } from "./loop-prompts.ts";

const CRITERIA = ["The 11th call is refused", "A bucket fills\nagain"];
const promptWith = (criteria: readonly string[]) =>
  implementerPrompt(
    {
      policy: POLICIES.scored,
      workItem: { title: "Bucket", description: "Limit calls.", criteria },
      branch: "ticket/bucket",
      text: () => "",
      epicCoordination: "allow has arity 1",
    },
    [],
  );

describe("the completion report of a ticket", () => {
  test("its builder gets the epic's requirements, the criteria by number, and the form that is read", () => {
    const prompt = promptWith(CRITERIA);
    expect(prompt).toContain("allow has arity 1");
    expect(prompt).toContain("1. The 11th call is refused\n2. A bucket fills again\n");
    const example = /## Completion Report\n[\s\S]*?```json\n(.*)\n```/.exec(prompt)?.[1] ?? "";
    const answer = `Done.\n\n## Completion Report\n\n\`\`\`json\n${example}\n\`\`\`\n`;
    expect(readCompletionReport(answer, CRITERIA).criteria.map(({ status }) => status)).toEqual([
      "addressed",
      "missing",
    ]);
  });

  test("without criteria nobody is asked for one", () => {
    expect(promptWith([])).not.toContain("Completion Report");
  });

  test("stands next to the refutations of a revision, whichever comes first", () => {
    const refuted = '```json\n{ "refuted": [{ "fingerprint": "f1", "evidence": "line 3" }], "addressed": [] }\n```\n';
    const json = JSON.stringify({ acceptance_criteria: [{ criterion: 1, met: true, evidence: "src/a.ts" }] });
    const report = `## Completion Report\n\n\`\`\`json\n${json}\n\`\`\`\n`;
    for (const answer of [`${report}\n${refuted}`, `${refuted}\n${report}`]) {
      expect(refutationsIn(answer)).toEqual([{ fingerprint: "f1", evidence: "line 3" }]);
      expect(readCompletionReport(answer, ["It works"]).criteria).toMatchObject([{ status: "addressed" }]);
    }
  });
});

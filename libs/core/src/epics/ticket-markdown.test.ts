import { describe, expect, test } from "vitest";
import { readTicketMarkdown } from "./ticket-markdown.ts";

const texts = (placed: readonly { text: string; line: number }[]) => placed.map(({ text, line }) => `${line} ${text}`);

const SECTIONS = `# Limit calls per key

## Description

Refuse calls above the limit.

The limit is set per route.

## Acceptance Criteria

- [ ] The 11th call is refused
- [x] The answer names the time
  to wait
- Limits are read
  - from the file
  - from the environment

## Files to Modify

- \`src/limits/bucket.ts\`
- src/limits/clock.ts

## Dependencies

- **read-config**: gives the limits
- \`clock-port\` - a clock to hold still

## Notes

- **not-a-dependency**: of another section
`;

test("a ticket file has description, acceptance criteria, files to modify and dependencies, each with its line", () => {
  const read = readTicketMarkdown(SECTIONS);
  expect(read).toMatchObject({ title: "Limit calls per key", problems: [], critical: null, remarks: [] });
  expect(read.description).toBe("Refuse calls above the limit.\n\nThe limit is set per route.");
  expect(texts(read.acceptanceCriteria)).toEqual([
    "11 The 11th call is refused",
    "12 The answer names the time to wait",
    "14 Limits are read - from the file - from the environment",
  ]);
  expect(texts(read.filesToModify)).toEqual(["20 src/limits/bucket.ts", "21 src/limits/clock.ts"]);
  expect(texts(read.dependencies)).toEqual(["25 read-config", "26 clock-port"]);
});

describe("dependencies", () => {
  test.for([
    { what: "names with an explanation", text: "- read-config: gives limits", names: "read-config" },
    { what: "names with a remark in brackets", text: "- read-config (must come first)", names: "read-config" },
    { what: "bold names", text: "* **read-config**\n* __x__", names: "read-config x" },
    { what: "links to ticket files", text: "1. [read-config](read-config.md)", names: "read-config" },
    { what: "several in one line", text: "read-config, clock-port.", names: "read-config clock-port" },
    { what: "none", text: "None", names: "" },
    { what: "none with a reason", text: "- None (this is the first ticket)", names: "" },
    { what: "n/a", text: "N/A", names: "" },
    { what: "nothing at all", text: "", names: "" },
    { what: "words that name no ticket", text: "- The parser has to be there", names: "" },
  ])("$what", ({ text, names }) => {
    const read = readTicketMarkdown(`## Dependencies\n\n${text}\n`);
    expect(read.dependencies.map((one) => one.text).join(" ")).toBe(names);
  });

  test("words that name no ticket are kept as a remark with their line", () => {
    expect(readTicketMarkdown("## Dependencies\n\n- The parser has to be there\n").remarks).toEqual([
      { text: "The parser has to be there", line: 3 },
    ]);
  });

  test.for([
    {
      where: "below another section",
      text: "## Integration\n\n### Downstream Dependencies\n\n- other\n\n### Dependencies\n\n- other",
    },
    { where: "in code", text: "## Description\n\n```md\n## Dependencies\n\n- other\n```" },
    { where: "in a longer fence", text: "## Description\n\n````md\n```\n## Dependencies\n\n- other\n```\n````" },
    { where: "in a comment", text: "## Description\n\n<!--\n## Dependencies\n\n- other\n-->" },
  ])("what stands $where does not count", ({ text }) => {
    expect(readTicketMarkdown(text)).toMatchObject({ dependencies: [], problems: [] });
  });

  test.for([
    {
      how: "a label above the sections",
      text: "# Title\n\n**Dependencies:** read-config, clock-port\n\n## Description",
    },
    {
      how: "headings of the third level",
      text: "### Description\n\nx\n\n### Dependencies\n\n- read-config\n- clock-port",
    },
    { how: "an underlined heading", text: "Title\n=====\n\nDependencies\n------------\n\n- read-config\n- clock-port" },
    { how: "headings of the first level", text: "# Description\n\nx\n\n# Dependencies\n\n- read-config\n- clock-port" },
    {
      how: "a numbered heading with a colon",
      text: "## 1. Description\n\n## 2. **Dependencies:**\n\n- read-config\n- clock-port",
    },
  ])("are also found under $how", ({ text }) => {
    expect(readTicketMarkdown(text).dependencies.map((one) => one.text)).toEqual(["read-config", "clock-port"]);
  });
});

describe("the ticket that a file is about", () => {
  test.for([
    { text: "# Any title\n\n**Ticket ID:** `rate-limiter`", names: "rate-limiter sure" },
    { text: "# Ticket: rate-limiter", names: "rate-limiter sure" },
    { text: "# rate-limiter", names: "rate-limiter perhaps" },
    { text: "# Limit the rate", names: "" },
    { text: "no title", names: "" },
  ])("$text → $names", ({ text, names }) => {
    const read = readTicketMarkdown(text).names.map((one) => `${one.text} ${one.sure ? "sure" : "perhaps"}`);
    expect(read.join(", ")).toBe(names);
  });
});

test.for([
  { label: "**Critical:** true", value: true },
  { label: "- **Critical**: no", value: false },
])("$label is read", ({ label, value }) => {
  expect(readTicketMarkdown(`# T\n\n${label}\n`).critical).toEqual({ value, line: 3 });
});

test("criteria without a list are paragraphs, and criteria below further headings count", () => {
  expect(
    texts(
      readTicketMarkdown("## Acceptance Criteria\n\nGiven a key\nwhen it calls\n\nThen it waits\n").acceptanceCriteria,
    ),
  ).toEqual(["3 Given a key when it calls", "6 Then it waits"]);
  expect(
    texts(readTicketMarkdown("## Acceptance Criteria\n\n### Core\n\n- one\n\n### Edge\n\n- two\n").acceptanceCriteria),
  ).toEqual(["5 one", "9 two"]);
});

test("a fence that is never closed hides nothing of the plan if no part of it follows", () => {
  const read = readTicketMarkdown("## Dependencies\n\n- config\n\n## Details\n\n```\n\n### Validation\n\n- x\n");
  expect(read.problems).toEqual([]);
  expect(texts(read.dependencies)).toEqual(["3 config"]);
});

test.for([
  {
    what: "a fence that is never closed",
    text: "## Description\n\n```ts\n## Dependencies\n- a\n",
    line: 3,
    says: "this code fence is never closed",
  },
  {
    what: "a comment that is never closed",
    text: "## Description\n<!-- later\n## Dependencies\n- a\n",
    line: 2,
    says: "this comment is never closed",
  },
  { what: "a critical that is neither", text: "**Critical:** maybe", line: 1, says: "expected true or false" },
])("$what is a problem with its line, since dependencies could hide behind it", ({ text, line, says }) => {
  expect(readTicketMarkdown(text).problems).toEqual([{ line, message: expect.stringContaining(says) }]);
});

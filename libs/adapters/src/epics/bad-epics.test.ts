import { mkdirSync, symlinkSync } from "node:fs";
import { problemText } from "@anneal/core/epics";
import { describe, expect, test } from "vitest";
import { readEpic } from "./read-epic.ts";
import { LIMITS, sampleEpic } from "./testing/sample-epic.ts";

async function problemsOf(yaml: string | Uint8Array, files?: Record<string, string>, id?: string): Promise<string[]> {
  using folder = sampleEpic(yaml, files, id);
  const before = folder.files();
  const read = await readEpic(folder.file);
  expect(folder.files()).toEqual(before);
  return read.ok ? [] : read.problems.map(problemText);
}

const tickets = (...lines: string[]) => `name: limits\ntickets:\n${lines.map((line) => `  - ${line}\n`).join("")}`;
const ticket = (name: string, ...needs: string[]) => `{name: ${name}, description: x, dependencies: [${needs}]}`;
const FILE = ".epics/limits/limits.epic.yaml";

describe("an epic that cannot be run has one clear message with file and line", () => {
  test.for<{ what: string; yaml: string | Uint8Array; says: string[] }>([
    {
      what: "a circle, named in full",
      yaml: tickets(ticket("c", "a"), ticket("a", "b"), ticket("b", "c"), ticket("d", "a")),
      says: [`${FILE}:4: tickets depend on each other: a → b → c → a`],
    },
    {
      what: "a ticket that needs itself",
      yaml: tickets(ticket("a", "a")),
      says: [`${FILE}:3: tickets depend on each other: a → a`],
    },
    {
      what: "an unknown dependency",
      yaml: "name: limits\ntickets:\n  - name: a\n    description: x\n    depends_on:\n      - b\n",
      says: [`${FILE}:6: a depends on b, which is not a ticket of this epic`],
    },
    {
      what: "two tickets with one name",
      yaml: tickets(ticket("a"), ticket("b"), ticket("a")),
      says: [`${FILE}:5: two tickets are called a; the first is on line 3`],
    },
    {
      what: "two names that differ in capitals only",
      yaml: tickets(ticket("auth"), ticket("Auth")),
      says: [`${FILE}:4: two tickets are called Auth; the first is on line 3`],
    },
    { what: "no tickets", yaml: "name: limits\ntickets: []\n", says: [`${FILE}:2: the epic has no tickets`] },
    { what: "no list of tickets", yaml: "name: limits\n", says: [`${FILE}:1: the epic has no tickets`] },
    {
      what: "an empty list of tickets",
      yaml: "name: limits\ntickets:\n",
      says: [`${FILE}:2: the epic has no tickets`],
    },
    {
      what: "no name",
      yaml: `description: x\n${tickets(ticket("a")).replace("name: limits\n", "")}`,
      says: [`${FILE}:1: name: an epic needs a name (or epic)`],
    },
    {
      what: "the name of another epic",
      yaml: tickets(ticket("a")).replace("limits", "other"),
      says: [`${FILE}:1: the epic is named other, but its file is named limits`],
    },
    {
      what: "two different names",
      yaml: `epic: The limits\n${tickets(ticket("a"))}`,
      says: [`${FILE}:1: the epic has two names: limits and The limits`],
    },
    {
      what: "a ticket without a name",
      yaml: "name: limits\ntickets:\n  - description: x\n",
      says: [`${FILE}:3: tickets[0].name: expected string, received undefined`],
    },
    {
      what: "a ticket that says nothing",
      yaml: "name: limits\ntickets:\n  - name: a\n    critical: false\n",
      says: [`${FILE}:3: the ticket a has no description: add one here or in .epics/limits/tickets/a.md`],
    },
    {
      what: "several wrong types, each with its own line",
      yaml: "name: limits\nobjectives: speed\ntickets:\n  - name: 7\n    critical: yes\n    acceptance_criteria:\n      - Works: [always]\n",
      says: [
        `${FILE}:2: objectives: expected array, received string`,
        `${FILE}:4: tickets[0].name: expected string, received number`,
        `${FILE}:5: tickets[0].critical: expected boolean, received string: write true or false`,
        `${FILE}:7: tickets[0].acceptance_criteria[0]: expected string, received object: quote a text that contains a colon`,
      ],
    },
    {
      what: "tickets that are no list",
      yaml: "name: limits\ntickets: {a: 1}\n",
      says: [`${FILE}:2: tickets: expected array, received object`],
    },
  ])("$what", async ({ yaml, says }) => {
    expect(await problemsOf(yaml)).toEqual(says);
  });

  test.for([
    "../out",
    "a/b",
    "-option",
    "_x",
    "a..b",
    "a.lock",
    ".hidden",
    "with blank",
    "a~1",
    "a^",
    "a:b",
    "ä",
    "x@{1}",
    "trailing.",
    "x".repeat(101),
    "",
  ])("the name %j, since it becomes a branch and a folder", async (name) => {
    const [problem, ...rest] = await problemsOf(
      `name: limits\ntickets:\n  - name: ${JSON.stringify(name)}\n    description: x\n`,
    );
    expect(rest).toEqual([]);
    expect(problem).toMatch(
      /^\.epics\/limits\/limits\.epic\.yaml:3: (?:".*" is not a valid ticket name: |tickets\[0\]\.name: )/,
    );
  });

  test("a name that leads out of the tickets folder, and nothing is read there", async () => {
    const yaml = "name: limits\ntickets:\n  - name: ../secret\n    description: x\n";
    expect(await problemsOf(yaml, { "secret.md": "---\nnever closed\n" })).toHaveLength(1);
  });

  test("a name of its file that cannot be a branch", async () => {
    const says = await problemsOf(LIMITS.replace("name: limits", "name: My epic"), {}, "my epic");
    expect(says).toEqual([
      expect.stringMatching(/^\.epics\/my epic\/my epic\.epic\.yaml:1: "my epic" is not a valid epic name: /),
    ]);
  });

  test.for<{ what: string; yaml: string | Uint8Array; says: string }>([
    { what: "text that is not YAML", yaml: "name: limits\ntickets: [\n", says: "3: it is not valid YAML: " },
    { what: "a key that is there twice", yaml: "name: limits\nname: other\n", says: "2: this key is there twice" },
    { what: "a tab as indentation", yaml: "name: limits\ntickets:\n\t- name: a\n", says: "3: a tab is not allowed" },
    { what: "a bomb of aliases", yaml: bomb(), says: "3: aliases (*a0) are not read: write the value out" },
    { what: "an alias that holds itself", yaml: "name: limits\nx: &x [*x]\n", says: "2: aliases (*x) are not read" },
    { what: "a merge key", yaml: "name: limits\na:\n  <<: {x: 1}\n", says: "3: merge keys (<<) are not read" },
    { what: "a tag", yaml: "name: !!js/function 'x'\n", says: "1: tags (!…) are not read" },
    { what: "the key __proto__", yaml: "name: limits\n__proto__: {a: 1}\n", says: "2: __proto__ cannot be a key" },
    { what: "two documents", yaml: "name: limits\n---\nname: b\n", says: "2: there are two documents in one file" },
    { what: "an empty file", yaml: "", says: "1: the file is empty" },
    { what: "comments only", yaml: "# nothing\n", says: "1: the file is empty" },
    { what: "a list", yaml: "- a\n", says: "1: expected keys with values" },
    { what: "a text", yaml: "limits\n", says: "1: expected keys with values" },
    { what: "lists without end", yaml: `a: ${"[".repeat(30_000)}`, says: "1: it is nested too deeply" },
    { what: "bytes that are not UTF-8", yaml: new Uint8Array([0x61, 0x0a, 0xff]), says: "2: the bytes are not UTF-8" },
    {
      what: "a control character",
      yaml: "name: limits\ndescription: a\u001b[31mb\n",
      says: "2: it has the control character U+001B",
    },
    {
      what: "a file larger than people write",
      yaml: `# ${"x".repeat(1_000_001)}\n`,
      says: "1: it is larger than 1 MB",
    },
  ])("$what", async ({ yaml, says }) => {
    expect(await problemsOf(yaml)).toEqual([expect.stringContaining(`${FILE}:${says}`)]);
  });

  const TICKET = ".epics/limits/tickets/bucket.md";
  test.for<{ what: string; file: string; says: string }>([
    {
      what: "is about another ticket",
      file: "# Route\n\n**Ticket ID:** route\n",
      says: "3: this file belongs to the ticket bucket, but its text names the ticket route",
    },
    {
      what: "is about a ticket that does not exist",
      file: "# Ticket: buckets\n",
      says: "1: this file belongs to the ticket bucket, but its text names the ticket buckets",
    },
    {
      what: "has the title of another ticket",
      file: "# route\n",
      says: "1: this file belongs to the ticket bucket, but its text names the ticket route",
    },
    {
      what: "names another ticket in its front matter",
      file: "---\nx: 1\nname: route\n---\n",
      says: "3: this file belongs to the ticket bucket, but its text names the ticket route",
    },
    {
      what: "needs an unknown ticket",
      file: "# B\n\n## Dependencies\n\n- **configs**: typo\n",
      says: "5: bucket depends on configs, which is not a ticket of this epic",
    },
    {
      what: "closes a circle",
      file: "# B\n\n## Dependencies\n\n- route\n",
      says: "5: tickets depend on each other: bucket → route → bucket",
    },
    { what: "has front matter that is not YAML", file: "---\na: [\n---\n", says: "2: it is not valid YAML" },
    { what: "has front matter without an end", file: "---\na: 1\n", says: "1: the front matter is never closed" },
    {
      what: "has front matter of a wrong type",
      file: "---\nx: 1\ncritical: perhaps\n---\n",
      says: "3: critical: expected boolean, received string: write true or false",
    },
    {
      what: "has an open code fence",
      file: "# B\n\n```\n## Dependencies\n",
      says: "3: this code fence is never closed",
    },
    { what: "has a control character", file: "# B\u0007\n", says: "1: it has the control character U+0007" },
  ])("a ticket file that $what", async ({ file, says }) => {
    expect(await problemsOf(LIMITS, { "tickets/bucket.md": file })).toEqual([
      expect.stringContaining(`${TICKET}:${says}`),
    ]);
  });

  test.for([
    { what: "no such file", file: "missing.epic.yaml", says: "missing.epic.yaml:1: no such file" },
    {
      what: "a file of another name",
      file: "limits.yaml",
      says: "limits.yaml:1: the file of an epic must be named {name}.epic.yaml",
    },
    { what: "a folder", file: "dir.epic.yaml", says: "dir.epic.yaml:1: it is not a file" },
  ])("$what", async ({ file, says }) => {
    using folder = sampleEpic();
    mkdirSync(folder.path("dir.epic.yaml"));
    const read = await readEpic(folder.path(file));
    expect(read.ok ? [] : read.problems.map(problemText)).toEqual([says]);
  });

  test("a ticket file that leads out of the project is not read", async () => {
    using outside = sampleEpic();
    using folder = sampleEpic();
    mkdirSync(folder.path(".epics/limits/tickets"));
    symlinkSync(outside.write("secret.md", "# secret\n"), folder.path(".epics/limits/tickets/bucket.md"));
    const read = await readEpic(folder.file);
    expect(read.ok ? [] : read.problems.map(problemText)).toEqual([`${TICKET}:1: it leads out of ${folder.dir}`]);
  });
});

function bomb(): string {
  const levels = Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`)}]`);
  return `name: limits\na0: &a0 [x]\n${levels.join("\n")}\n`;
}

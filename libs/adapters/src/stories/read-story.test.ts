import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { interpretStory, readStory } from "./read-story.ts";

const golden = readFileSync(new URL("./fixtures/lending.md", import.meta.url), "utf8");
const read = (text: string) => interpretStory("s.md", text, "v");
const story = (text: string) => {
  const found = read(text);
  if (!found.ok) throw new Error(found.problems.map(({ line, message }) => `${line}: ${message}`).join("\n"));
  return found.story;
};

describe("a story", () => {
  test("is read with its criteria, tasks and front matter, as real projects write it", () => {
    expect(story(golden)).toEqual({
      id: "2.1-D4",
      title: "Lend books to readers",
      status: "pending",
      dependsOn: ["1.2", "1.10"],
      acceptanceCriteria: [
        "AC1: Given a free book, When a reader asks, Then it is lent, `due` is set",
        "AC2: Given a book that is lent, When a second asks, Then a | is no column",
        "Given a reader with three books\nWhen they ask for a fourth\nThen it is refused\nAnd they are told why",
        "Every loan is written to the log, with its reader.\n- also the refused ones",
        "Dates are UTC",
      ],
      tasks: [
        { text: "Task 1: the loan (AC1)", done: true },
        { text: "1.1 type", done: true },
        { text: "1.2 store", done: false },
        { text: "Task 2: the limit", done: false },
      ],
    });
  });

  test("comes with its text below the front matter and the lines of its names", () => {
    expect(read(golden)).toMatchObject({
      text: expect.stringMatching(/^\n# Story/),
      lines: { id: 3, branch: 3, dependsOn: [7, 8] },
    });
  });

  test.for([
    { id: "2.1-D4", text: "# Story 2.1-D4: T\n", is: "2.1-D4" },
    { id: "3-1a", text: "# Story 3-1a: T\n", is: "3-1a" },
    { id: "3.1.6", text: "# Story 3.1.6 - T\n", is: "3.1.6" },
    { id: "3.10 as a number", text: "---\nid: 3.10\n---\n# T\n", is: "3.10" },
    { id: "one in the front matter only", text: "---\nid: 7\n---\n", is: "7" },
    { id: "the front matter's where both say the same", text: "---\nid: 3-1a\n---\n# Story 3.1A: T\n", is: "3-1a" },
    { id: "after a byte order mark", text: "\uFEFF# Story 1.1: T\r\n", is: "1.1" },
  ])("has the id $id", ({ text, is }) => {
    expect(story(text).id).toBe(is);
  });

  test.for([
    { title: "of the front matter", text: "---\ntitle: A\n---\n# Story 1: B\n", is: "A" },
    { title: "of the heading", text: "# Story 1: B: c - d\n", is: "B: c - d" },
    { title: "made of the id", text: "# Story 1\n", is: "Story 1" },
  ])("has the title $title", ({ text, is }) => {
    expect(story(text).title).toBe(is);
  });

  test.for([
    { what: "nothing", yaml: "depends_on:\n", is: [] },
    { what: "an empty list", yaml: "depends_on: []\n", is: [] },
    { what: "null", yaml: "depends_on: null\n", is: [] },
    { what: "one without a list", yaml: "depends_on: 2.10\n", is: ["2.10"] },
    { what: "a list", yaml: "depends_on: [1.1, 1.20]\n", is: ["1.1", "1.20"] },
  ])("depends on $what", ({ yaml, is }) => {
    expect(story(`---\nid: x1\n${yaml}---\n`).dependsOn).toEqual(is);
  });

  test.for([
    { written: "Blocked", is: "blocked" },
    { written: "REVIEW", is: "review" },
    { written: "Skipped", is: "skipped" },
    { written: "In-Progress", is: "in-progress" },
    { written: "Completed", is: "done" },
    { written: "Ready", is: "pending" },
  ])("has the status $is where it says $written", ({ written, is }) => {
    expect(story(`---\nid: 1\nstatus: ${written}\n---\n`).status).toBe(is);
  });

  test.for(["foo", "constructor", "in review", "done?"])("has no status %s", (word) => {
    const message = `status: unknown value "${word}"; known: pending, in-progress, review, done, blocked, paused, skipped`;
    const problems = [{ file: "s.md", line: 3, message }];
    expect(read(`---\nid: 1\nstatus: ${word}\n---\n# T\n`)).toEqual({ ok: false, problems });
  });

  test.for([
    { what: "a status", one: "---\nid: 1\n---\n# T\n", other: "---\nid: 1\nstatus: done\n---\n# T\n", same: true },
    {
      what: "front matter for a status",
      one: "# Story 1: T\n",
      other: "---\nstatus: done\n---\n# Story 1: T\n",
      same: true,
    },
    { what: "a task that is ticked off", one: "# Story 1: T\n- [ ] a\n", other: "# Story 1: T\n- [x] a\n", same: true },
    { what: "other line ends", one: "# Story 1: T\n\nA.\n", other: "# Story 1: T\r\n\r\nA.\r\n", same: true },
    { what: "another text", one: "# Story 1: T\n", other: "# Story 1: T\n\nMore.\n", same: false },
    { what: "another branch", one: "# Story 1: T\n", other: "---\nbranch: b\n---\n# Story 1: T\n", same: false },
  ])("with $what it asks for the same: $same", ({ one, other, same }) => {
    const asks = (text: string) => {
      const found = read(text);
      return found.ok ? found.asks : "nothing";
    };
    expect(asks(one) === asks(other)).toBe(same);
  });

  test("keeps keys that it does not know out of the way", () => {
    expect(story("---\nid: '1'\nbranch: my/branch\ntouches: {a: [1]}\nstatus:\n---\n")).toEqual({
      id: "1",
      title: "Story 1",
      branch: "my/branch",
      dependsOn: [],
      acceptanceCriteria: [],
      tasks: [],
    });
  });
});

describe("acceptance criteria", () => {
  const criteria = (section: string) => story(`# Story 1: T\n\n${section}`).acceptanceCriteria;

  test.for([
    { form: "a list", section: "## Acceptance Criteria\n\n- a\n- b\n", is: ["a", "b"] },
    { form: "checkboxes", section: "## Acceptance Criteria\n* [ ] a\n* [x] b\n", is: ["a", "b"] },
    { form: "numbers", section: "### Acceptance Criteria:\n1. a\n2) b\n", is: ["a", "b"] },
    { form: "a bold label", section: "**Acceptance Criteria:**\n\n- a\n\n**Technical Notes:**\n\n- no\n", is: ["a"] },
    { form: "paragraphs", section: "## Acceptance Criteria\n\none\ntwo\n\nthree\n", is: ["one two", "three"] },
    {
      form: "several scenarios",
      section: "## Acceptance Criteria\n\nGiven a\nWhen b\nThen c\n\nGiven d\nThen e\n",
      is: ["Given a\nWhen b\nThen c", "Given d\nThen e"],
    },
    {
      form: "a scenario as a list",
      section: "## Acceptance Criteria\n- **Given** a\n- **When** b\n- **Then** c\n- **Given** d\n- **Then** e\n",
      is: ["Given a\nWhen b\nThen c", "Given d\nThen e"],
    },
    {
      form: "a scenario on one line",
      section: "## Acceptance Criteria\n\n1. **Given** a, **when** b, **then** c\n2. **Given** d\n   **Then** e\n",
      is: ["Given a, when b, then c", "Given d\nThen e"],
    },
    {
      form: "headings with numbers",
      section: "## Acceptance Criteria\n### AC1: Sort\nGiven a\nThen b\n- c\n### AC2\nd\n## Notes\n- no\n",
      is: ["AC1: Sort\nGiven a\nThen b\nc", "AC2\nd"],
    },
    {
      form: "headings that only sort",
      section: "## Acceptance Criteria\n### Lending\n- a\n### Returning\n- b\n",
      is: ["a", "b"],
    },
    {
      form: "code in an entry",
      section: "## Acceptance Criteria\n- a\n  ```\n  - x\n  ```\n- b\n",
      is: ["a\n  ```\n  - x\n  ```", "b"],
    },
    { form: "nothing", section: "## Acceptance Criteria\n\n## Tasks\n- [ ] t\n", is: [] },
    { form: "no section", section: "## Tasks\n- [ ] t\n", is: [] },
  ])("as $form", ({ section, is }) => {
    expect(criteria(section)).toEqual(is);
  });

  test("checkboxes among the criteria are no tasks", () => {
    expect(story("# Story 1: T\n## Acceptance Criteria\n- [ ] a\n## Tasks\n- [ ] t\n").tasks).toEqual([
      { text: "t", done: false },
    ]);
  });
});

describe("bad input is one clear message with its line, and nothing else", () => {
  test.for([
    {
      name: "a story without an id",
      text: "# A title\n\ntext\n",
      says: ["1: the story has no id: begin it with `# Story 2.1: Title`, or give it an `id` in the front matter"],
    },
    { name: "an empty file", text: "", says: [expect.stringContaining("1: the story has no id")] },
    {
      name: "front matter that is not YAML",
      text: "---\nid: x\ntitle: a: b\n---\n# Story 1: T\n",
      says: [expect.stringMatching(/^3: front matter: it is not valid YAML: /)],
    },
    {
      name: "front matter that never ends",
      text: "---\nid: 1.1\n\n# Story 1.1: T\n",
      says: ["1: front matter: it is never closed; end it with a line `---`"],
    },
    {
      name: "front matter that is a list",
      text: "---\n- id\n---\n",
      says: ["2: front matter: expected `key: value` lines"],
    },
    {
      name: "an id that leaves its folder",
      text: "---\ntitle: T\nid: ../../etc\n---\n",
      says: ["3: id: a story id consists of letters and digits, joined by single dots or dashes"],
    },
    {
      name: "a heading whose id leaves its folder",
      text: "\n# Story ../x: T\n",
      says: ['2: id "../x": a story id consists of letters and digits, joined by single dots or dashes'],
    },
    {
      name: "an id with a blank",
      text: "# Story 1 2: T\n",
      says: [expect.stringContaining('1: id "1 2": a story id')],
    },
    {
      name: "an id that is no text",
      text: "---\nid: [1]\n---\n",
      says: ["2: id: a story id is text: quote it in YAML"],
    },
    { name: "an endless id", text: `# Story ${"x1".repeat(60)}: T\n`, says: [expect.stringContaining("1: id ")] },
    {
      name: "two ids",
      text: "---\nid: 1.1\n---\n# Story 2.2: T\n",
      says: ['4: the heading is that of story "2.2", the front matter says "1.1"'],
    },
    {
      name: "a dependency that is no id",
      text: "---\nid: 1.1\ndepends_on:\n  - 1.0\n  - a/b\n---\n",
      says: [expect.stringMatching(/^5: depends_on\[1\]: a story id is/)],
    },
    {
      name: "a branch that git refuses",
      text: "---\nid: 1.1\nbranch: a..b\n---\n",
      says: ["3: branch: not a valid git branch name"],
    },
    {
      name: "a branch that looks like an option",
      text: "---\nid: 1.1\nbranch: --force\n---\n",
      says: ["3: branch: not a valid git branch name"],
    },
    {
      name: "a branch with a blank",
      text: "---\nid: 1.1\nbranch: a b\n---\n",
      says: [expect.stringContaining("3: branch: a branch name has no blanks")],
    },
    {
      name: "several things at once",
      text: "---\nid: a/b\nstatus: [x]\n---\n",
      says: [expect.stringMatching(/^2: id: /), expect.stringMatching(/^3: status: /)],
    },
  ])("$name", ({ text, says }) => {
    const found = read(text);
    const problems = found.ok ? [] : found.problems.map(({ line, message }) => `${line}: ${message}`);
    expect(problems).toEqual(says);
  });

  test("a file that is missing, a folder, too large or no text", async () => {
    using folder = tempFolder();
    folder.write("binary.md", new Uint8Array([0x23, 0xff, 0xfe]));
    folder.write("large.md", "x".repeat(2_000_001));
    folder.write("folder.md/a", "");
    const messages = [];
    for (const file of ["none.md", "folder.md", "large.md", "binary.md"]) {
      const found = await readStory(file, folder.dir);
      messages.push(found.ok ? "read" : found.problems.map((problem) => `${problem.file}: ${problem.message}`).join());
    }
    expect(messages).toEqual([
      "none.md: the file does not exist",
      "folder.md: it is not a file",
      "large.md: it is larger than 2000000 bytes",
      "binary.md: the bytes are not UTF-8",
    ]);
  });
});

import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { whyNoBranchName } from "./branch-name.ts";
import { findStories, problemText, readStories, writeStoryStatus, writeTexts } from "./index.ts";

const golden = readFileSync(new URL("./fixtures/lending.md", import.meta.url), "utf8");
const story = (id: string, dependsOn: string[] = []) =>
  `---\nid: "${id}"\ndepends_on: [${dependsOn.map((on) => `"${on}"`).join(", ")}]\n---\n\n# Story ${id}: T ${id}\n`;

/** Reads stories given as id → dependencies, each from a file of its own name. */
async function readSet(set: Record<string, string[]>, alsoKnown?: ReadonlySet<string>) {
  using folder = tempFolder();
  for (const [id, dependsOn] of Object.entries(set)) folder.write(`${id}.md`, story(id, dependsOn));
  const files = Object.keys(set).map((id) => `${id}.md`);
  const { stories, problems } = await readStories(files, { root: folder.dir, ...(alsoKnown && { alsoKnown }) });
  return { ids: stories.map((each) => each.story.id), problems: problems.map(problemText) };
}

describe("stories that belong together", () => {
  test("are read in the order of asking, each once", async () => {
    using folder = tempFolder();
    folder.write("b.md", story("1.2", ["1.1"]));
    folder.write("a.md", story("1.1"));
    const { stories, problems } = await readStories(["b.md", "a.md", "b.md"], { root: folder.dir });
    expect(stories.map(({ file }) => file)).toEqual(["b.md", "a.md"]);
    expect(problems).toEqual([]);
  });

  test.for<{ name: string; set: Record<string, string[]>; says: unknown[] }>([
    { name: "a diamond is fine", set: { "1": [], "2": ["1"], "3": ["1"], "4": ["2", "3"] }, says: [] },
    {
      name: "an unknown dependency",
      set: { "1": ["9.9"] },
      says: ['1.md:3: depends_on: there is no story "9.9"'],
    },
    {
      name: "a circle of two",
      set: { "1": ["2"], "2": ["1"] },
      says: ["1.md:3: depends_on: stories wait for each other: 1 → 2 → 1"],
    },
    {
      name: "a story that waits for itself",
      set: { "1": ["1"] },
      says: ["1.md:3: depends_on: stories wait for each other: 1 → 1"],
    },
    {
      name: "two circles, and a story behind one of them",
      set: { "5": ["2"], "1": ["2"], "2": ["3"], "3": ["1"], "7": ["8"], "8": ["7"], "9": [] },
      says: [
        "1.md:3: depends_on: stories wait for each other: 1 → 2 → 3 → 1",
        "7.md:3: depends_on: stories wait for each other: 7 → 8 → 7",
      ],
    },
    {
      name: "ids that differ in dots and capitals only",
      set: { "3-1A": [], "3.1a": [] },
      says: ['3.1a.md:2: the ids "3.1a" and "3-1A" (3-1A.md:2) are too much alike: they would share a branch'],
    },
  ])("$name", async ({ set, says }) => {
    expect((await readSet(set)).problems).toEqual(says);
  });

  test("a long chain is no circle", async () => {
    const set = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}x`, n === 0 ? [] : [`${n - 1}x`]]));
    expect((await readSet(set)).problems).toEqual([]);
  });

  test("a dependency that exists elsewhere is known", async () => {
    expect((await readSet({ "2": ["1"] }, new Set(["1"]))).problems).toEqual([]);
  });

  test("a dependency may be written with dashes, or as the name of its file", async () => {
    using folder = tempFolder();
    folder.write("docs/3-1a-save-books.md", story("3.1a"));
    folder.write("docs/3-1b.md", story("3.1b", ["3-1a-save-books"]));
    folder.write("docs/3-2.md", story("3.2", ["3-1A", "3.1b"]));
    const files = ["docs/3-1a-save-books.md", "docs/3-1b.md", "docs/3-2.md"];
    const { stories, problems } = await readStories(files, { root: folder.dir });
    expect(problems).toEqual([]);
    expect(stories.map((each) => each.story.dependsOn)).toEqual([[], ["3.1a"], ["3.1a", "3.1b"]]);
  });

  test("two stories with one id name both files", async () => {
    using folder = tempFolder();
    folder.write("a.md", story("1.1"));
    folder.write("b.md", "# Story 1.1: Other\n");
    const { problems } = await readStories(["a.md", "b.md"], { root: folder.dir });
    expect(problems.map(problemText)).toEqual(['b.md:1: two stories have the id "1.1": the other is a.md:2']);
  });

  test.for([
    { what: "the same", branches: ["shared", "shared"] },
    { what: "the same but for capitals, which some file systems do not tell apart", branches: ["shared", "Shared"] },
    { what: "one that is made of the other's id and title", branches: ["story-2-t-2", null] },
  ])("two stories on one branch name both files: $what", async ({ branches }) => {
    using folder = tempFolder();
    const front = (branch: string | null | undefined) => (branch === null ? "" : `branch: ${branch}\n`);
    folder.write("a.md", `---\nid: 1\n${front(branches[0])}---\n`);
    folder.write("b.md", `---\nid: 2\ntitle: T 2\n${front(branches[1])}---\n`);
    const { stories, problems } = await readStories(["a.md", "b.md"], { root: folder.dir });
    expect(stories).toHaveLength(2);
    expect(problems.map(problemText)).toEqual([
      expect.stringMatching(/^b\.md:[24]: branch: \S+ is also that of story 1 \(a\.md:3\): give one of them another$/),
    ]);
  });

  test("a branch is free again once its story is done", async () => {
    using folder = tempFolder();
    folder.write("a.md", "---\nid: 1\nbranch: shared\nstatus: done\n---\n");
    folder.write("b.md", "---\nid: 2\nbranch: shared\n---\n");
    expect((await readStories(["a.md", "b.md"], { root: folder.dir })).problems).toEqual([]);
  });

  test("a story that cannot be read is a problem and does not hide the others", async () => {
    using folder = tempFolder();
    folder.write("a.md", story("1.1"));
    folder.write("b.md", "nothing\n");
    const { stories, problems } = await readStories(["a.md", "b.md", "c.md"], { root: folder.dir });
    expect(stories.map((each) => each.story.id)).toEqual(["1.1"]);
    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual(["b.md:1", "c.md:1"]);
  });
});

describe("finding stories", () => {
  test("takes markdown that is a story, wherever it lies, and leaves the rest", async () => {
    using folder = tempFolder();
    folder.write("docs/stories/2.1.md", golden);
    folder.write("plan/1.2.md", "# Story 1.2: Shelves\n");
    folder.write("docs/stories/bare.md", '---\nid: "1.10"\n---\n\nNo heading.\n');
    folder.write("docs/stories/broken.md", "---\na: b: c\n---\n# Story 4.4: Broken\n");
    folder.write("docs/stories/open.md", "---\nid: 5\n# Story 5.5: Open\n");
    folder.write(
      "docs/progress/story-2.1-D4-review-findings-round-1.md",
      "# Story 2.1-D4 Code Review Findings - Round 1\n",
    );
    folder.write("docs/map.md", "# Story Map\n");
    folder.write("docs/epic.md", "# Epic 1\n\n## Story 1.1: no file of its own\n");
    folder.write("docs/notes.md", '---\nid: "9.9"\n---\n# Notes\n');
    folder.write("node_modules/x/a.md", "# Story 8.1: T\n");
    folder.write(".worktrees/s/a.md", "# Story 8.2: T\n");
    folder.write("docs/a.txt", "# Story 8.3: T\n");
    mkdirSync(folder.path("out"));
    symlinkSync(folder.path("docs"), folder.path("linked"));
    const { stories, problems } = await findStories(folder.dir);
    expect(stories.map(({ file, story: { id } }) => `${file} ${id}`)).toEqual([
      "docs/stories/2.1.md 2.1-D4",
      "docs/stories/bare.md 1.10",
      "plan/1.2.md 1.2",
    ]);
    expect(problems.map(problemText)).toEqual([
      expect.stringMatching(/^docs\/stories\/broken\.md:2: front matter: it is not valid YAML/),
      "docs/stories/open.md:1: front matter: it is never closed; end it with a line `---`",
    ]);
  });

  test.for([
    {
      what: "a bad id under an unnumbered heading",
      file: "plan/a.md",
      text: "---\nid: a/b\n---\n# Story x: Lend\n",
      at: "2: id: a story id consists of",
    },
    {
      what: "an unnumbered heading over another id",
      file: "plan/a.md",
      text: '---\nid: "2.1"\n---\n# Story x: Lend\n',
      at: '4: the heading is that of story "x"',
    },
    {
      what: "an id with a blank",
      file: "plan/a.md",
      text: "# Story 1 2: Lend\n",
      at: '1: id "1 2": a story id consists of',
    },
    {
      what: "an id of words among stories",
      file: "docs/stories/a.md",
      text: "# Story a b: Lend\n",
      at: '1: id "a b": a story id consists of',
    },
    {
      what: "a bad id without digits among stories",
      file: "docs/stories/a.md",
      text: "# Story a_b: Lend\n",
      at: '1: id "a_b": a story id consists of',
    },
    { what: "no id among stories", file: "docs/stories/a.md", text: "\n# Story: Lend\n", at: "1: the story has no id" },
  ])("tells of $what, with file and line and what is allowed", async ({ file, text, at }) => {
    using folder = tempFolder();
    folder.write(file, text);
    folder.write("docs/stories/1.1.md", story("1.1"));
    const { stories, problems } = await findStories(folder.dir);
    expect(stories.map((each) => each.story.id)).toEqual(["1.1"]);
    expect(problems.map(problemText)).toEqual([expect.stringContaining(`${file}:${at}`)]);
  });

  test.for(["# Story points: how we count\n", "# Story Map\n", "# Story 1 Code Review Findings - Round 1\n"])(
    "leaves prose alone: %s",
    async (text) => {
      using folder = tempFolder();
      folder.write("docs/notes.md", text);
      expect(await findStories(folder.dir)).toEqual({ stories: [], problems: [] });
    },
  );

  test("a repository without stories has none", async () => {
    using folder = tempFolder();
    expect(await findStories(folder.dir)).toEqual({ stories: [], problems: [] });
  });
});

describe("writing a status", () => {
  test("changes that value and not one other byte", async () => {
    using folder = tempFolder();
    folder.write("docs/s.md", golden);
    expect(await writeStoryStatus(folder.dir, "docs/s.md", "in-progress")).toBe(true);
    expect(folder.read("docs/s.md")).toBe(golden.replace("status: ready ", "status: in-progress "));
    expect(await writeStoryStatus(folder.dir, "docs/s.md", "in-progress")).toBe(false);
    expect(Object.keys(folder.files())).toEqual([".automaker/anneal-files.lock", "docs/s.md"]);
  });

  test("writers at the same time lose nothing of each other", async () => {
    using folder = tempFolder();
    folder.write("s.md", golden);
    const words = Array.from({ length: 30 }, (_, n) => `step-${n}`);
    await Promise.all(words.map((word) => writeStoryStatus(folder.dir, "s.md", word)));
    expect(folder.read("s.md")).toBe(golden.replace("status: ready ", "status: step-29 "));
  });

  test.for([
    {
      name: "not YAML",
      text: "---\na: b: c\n---\n# Story 1: T\n",
      error: /s\.md:2:1: front matter: it is not valid YAML/,
    },
    { name: "never closed", text: "---\nid: 1\n", error: /s\.md:1:1: front matter: it is never closed/ },
    { name: "not UTF-8", text: new Uint8Array([0x2d, 0xff]), error: /the bytes are not UTF-8/ },
  ])("a file that is $name is never overwritten", async ({ text, error }) => {
    using folder = tempFolder();
    folder.write("s.md", text);
    const before = folder.files()["s.md"];
    await expect(writeStoryStatus(folder.dir, "s.md", "done")).rejects.toThrow(error);
    expect(folder.files()["s.md"]).toBe(before);
  });

  test("a file outside of the project is not touched, however it is reached", async () => {
    using outside = tempFolder();
    using folder = tempFolder();
    outside.write("s.md", golden);
    symlinkSync(outside.path("s.md"), folder.path("link.md"));
    await expect(writeStoryStatus(folder.dir, "link.md", "done")).rejects.toThrow(/leads out of/);
    await expect(writeStoryStatus(folder.dir, outside.path("s.md"), "done")).rejects.toThrow(/leads out of/);
    expect(outside.read("s.md")).toBe(golden);
  });

  test("a file that is gone is not made again", async () => {
    using folder = tempFolder();
    await expect(writeStoryStatus(folder.dir, "s.md", "done")).rejects.toThrow(/does not exist/);
    expect(folder.exists("s.md")).toBe(false);
  });
});

describe("placing texts", () => {
  test("makes the folders, and can be repeated", async () => {
    using folder = tempFolder();
    const texts = [
      { path: "docs/progress/a.md", content: "a" },
      { path: "docs/progress/b.md", content: "b" },
    ];
    await writeTexts(folder.dir, texts);
    await writeTexts(folder.dir, texts);
    expect(folder.files()).toEqual({ "docs/progress/a.md": "a", "docs/progress/b.md": "b" });
  });

  test.for(["../a.md", "docs/../../a.md", "/etc/a.md", "docs//a.md", "./a.md"])("%s is refused", async (path) => {
    using folder = tempFolder();
    await expect(writeTexts(folder.dir, [{ path, content: "" }])).rejects.toThrow(/was not touched/);
    expect(folder.files()).toEqual({});
  });

  test("a link on the way is refused, and nothing is made behind it", async () => {
    using outside = tempFolder();
    using folder = tempFolder();
    symlinkSync(outside.dir, folder.path("docs"));
    await expect(writeTexts(folder.dir, [{ path: "docs/progress/a.md", content: "" }])).rejects.toThrow(/not a folder/);
    expect(outside.files()).toEqual({});
    expect(outside.exists("progress")).toBe(false);
  });
});

describe("branch names", () => {
  test.for(["story-2-1-d4-x", "a/b", "feature/ä", "a.b", "x@y", "1", "a-", "a@"])("git takes %j", (name) => {
    expect(whyNoBranchName(name)).toBeNull();
  });

  test.for([
    ...["", "-a", "a..b", ".a", "a/.b", "a.lock", "a.lock/b", "/a", "a/", "a//b", "a.", "a b", "a~1", "a^", "a:b"],
    ...["a?", "a*", "a[b", "a\\b", "a@{1}", "@", "HEAD", "a\tb", "a\u007f", "a\u202eb", "x".repeat(201)],
  ])("%j is refused", (name) => {
    expect(whyNoBranchName(name)).toEqual(expect.any(String));
  });
});

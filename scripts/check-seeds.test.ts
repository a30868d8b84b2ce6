import { describe, expect, test } from "vitest";
import { checkSeeds } from "./check-seeds.ts";

const HEADER = "| id | what the seed asks | proof |\n|---|---|---|\n";
const TESTS = "libs/core/src/cart.test.ts";
const rest = ["001", "002", "003", "004"].map((seed) => `| ${seed}-1-1 | w | part 9 |`).join("\n");

/** One row of seed 000 beside good rows of the others, checked against one test file and one decision. */
function check(row: string, testFile = 'test("adds", () => {\n  expect(1).toBe(1);\n});\n') {
  const files: Record<string, string> = { [TESTS]: testFile, "docs/decisions/0001-one-loop.md": "# One loop" };
  return checkSeeds([{ path: "docs/seeds.md", text: `# Seeds\n\n${HEADER}${row}\n${rest}\n` }], (path) => files[path]);
}

const proof = (text: string, testFile?: string) => check(`| 000-1-1 | w | ${text} |`, testFile).problems;

describe("a table is accepted", () => {
  test("with tests, later parts and deviations, each counted", () => {
    const rows = [
      `| 000-2.1-1 | the sum | ${TESTS} › adds |`,
      "| 000-2.1-2 | the board | part 12 |",
      "| 000-2.1-3 | the order | deviation: decisions/0001-one-loop.md (one loop is enough) |",
    ];
    expect(check(rows.join("\n"))).toEqual({ problems: [], rows: { tested: 1, later: 5, deviating: 1 } });
  });

  test("over several documents", () => {
    const docs = ["000", "001", "002", "003", "004"].map((seed) => ({
      path: `docs/seeds/${seed}.md`,
      text: `${HEADER}| ${seed}-F1-1 | w | part 10 |`,
    }));
    expect(checkSeeds(docs, () => undefined).problems).toEqual([]);
  });

  test("with a flow in a browser", () => {
    const flow = "apps/ui/flows/board.browser.test.ts";
    const rows = `${HEADER}| 000-1-1 | w | ${flow} › adds |\n${rest}`;
    const textOf = (path: string) => (path === flow ? 'test("adds", () => {});' : undefined);
    expect(checkSeeds([{ path: "docs/seeds.md", text: rows }], textOf).problems).toEqual([]);
  });

  test("with a bar inside of a cell", () => {
    expect(proof(`${TESTS} › a \\| b`, 'test("a | b", () => {});')).toEqual([]);
  });

  test("with several tests in one proof, semicolons in a title included", () => {
    const file = 'test("adds; twice", () => {});\ndescribe("group", () => {\n  test("x", () => {});\n});\n';
    expect(proof(`${TESTS} › adds; twice; ${TESTS} › group`, file)).toEqual([]);
    expect(proof(`${TESTS} › adds; twice; ${TESTS} › missing`, file)).toHaveLength(1);
  });
});

describe("a title is found", () => {
  test.for([
    { where: "in test", file: 'test("adds", () => {});' },
    { where: "in a part of a title", file: 'test("the cart adds numbers", () => {});' },
    { where: "in it", file: "it('adds', () => {});" },
    { where: "in an asynchronous test", file: 'test("adds", async () => {});' },
    { where: "in a template", file: `const a = 1;\ntest(\`adds \${a}\`, () => {});` },
    { where: "behind options", file: 'test("adds", { timeout: 5 }, () => {});' },
    { where: "in a table", file: 'test.for([{ a: ")" }, { a: `}` }])("adds $a", ({ a }) => {});' },
    { where: "in a table over several lines", file: 'test.for([\n  1,\n] as const)(\n  "adds",\n  () => {},\n);' },
    {
      where: "behind type arguments",
      file: 'test.for<{ f: (a: number) => void; b: Map<string, number> }>([])("adds", () => {});',
    },
    { where: "in a group with a test", file: 'describe("adds", () => {\n  test("a", () => {});\n});' },
    { where: "in a table of groups", file: 'describe.for(all)("adds $a", () => {\n  test("a", () => {});\n});' },
    { where: "behind a regular expression", file: 'const r = /["`(]/;\ntest("adds", () => {});' },
    { where: "behind a division", file: 'const half = (a) / 2; // "\ntest("adds", () => {});' },
    { where: "behind a nested template", file: `const t = \`\${["\`"]}\`;\ntest("adds", () => {});` },
    { where: "beside one that is skipped", file: 'test.skip("adds", f);\ntest("adds again", () => {});' },
  ])("$where", ({ file }) => {
    expect(proof(`${TESTS} › adds`, file)).toEqual([]);
  });

  test("with escaped quotes", () => {
    expect(proof(`${TESTS} › it's "so"`, 'test("it\'s \\"so\\"", () => {});')).toEqual([]);
  });

  test("with the name of a table's row behind it", () => {
    const file = 'test.for([{ name: "two" }])("adds $name", () => {});';
    expect(proof(`${TESTS} › adds $name › two`, file)).toEqual([]);
    expect(proof(`${TESTS} › adds $name › three`, file)).toEqual([
      `docs/seeds.md:5: 000-1-1 names a text that ${TESTS} does not have: three`,
    ]);
  });
});

describe("a title does not count", () => {
  const missing = [`docs/seeds.md:5: 000-1-1 names a test that ${TESTS} does not have: adds`];
  const resting = [`docs/seeds.md:5: 000-1-1 names a test of ${TESTS} that does not run: adds`];
  test.for([
    { where: "where it is not in the file", file: 'test("subtracts", () => {});', problems: missing },
    { where: "in a comment", file: '// test("adds", () => {});\n/* test("adds", f) */', problems: missing },
    { where: "in code inside of a text", file: "const code = 'test(\"adds\", f)';", problems: missing },
    { where: "as any other text", file: 'const name = "adds";\ntest("x", () => {});', problems: missing },
    {
      where: "as an argument of a method called test",
      file: 'expect(/a/.test("adds")).toBe(true);',
      problems: missing,
    },
    { where: "of a test that is skipped", file: 'test.skip("adds", () => {});', problems: resting },
    { where: "of a table that is skipped", file: 'test.skip.for([1])("adds", () => {});', problems: resting },
    { where: "of a test that is to be written", file: 'test.todo("adds");', problems: resting },
    { where: "of a test without a body", file: 'test("adds");', problems: resting },
    { where: "of a test that runs by condition", file: 'test.runIf(linux)("adds", () => {});', problems: resting },
    { where: "of a test that has to fail", file: 'test.fails("adds", () => {});', problems: resting },
    { where: "of a test with the option skip", file: 'test("adds", { skip: true }, () => {});', problems: resting },
    { where: "of a test that skips itself", file: 'test("adds", (t) => {\n  t.skip();\n});', problems: resting },
    {
      where: "of a test in a group that is skipped",
      file: 'describe.skip("g", () => {\n  test("adds", () => {});\n});',
      problems: resting,
    },
    { where: "of an empty group", file: 'describe("adds", () => {});', problems: resting },
    {
      where: "of a group whose tests are skipped",
      file: 'describe("adds", () => {\n  test.skip("a", () => {});\n});',
      problems: resting,
    },
  ])("$where", ({ file, problems }) => {
    expect(proof(`${TESTS} › adds`, file)).toEqual(problems);
  });
});

describe("a row is refused", () => {
  test.for([
    { because: "it has no proof", row: "| 000-1-1 | w | |", says: "000-1-1 has no proof" },
    { because: "a cell is missing", row: "| 000-1-1 | w |", says: "a row has three cells, this one has 2" },
    { because: "it has a cell too many", row: "| 000-1-1 | w | part 9 | x |", says: "this one has 4" },
    { because: "it says nothing", row: "| 000-1-1 | | part 9 |", says: "000-1-1 does not say what the seed asks" },
    { because: "its id is of another form", row: "| 000-3 | w | part 9 |", says: '"000-3" is no id' },
    { because: "its seed does not exist", row: "| 005-1-1 | w | part 9 |", says: '"005-1-1" is no id' },
    {
      because: "its proof is prose",
      row: "| 000-1-1 | w | see the code |",
      says: "000-1-1 has a proof of no known form: see the code",
    },
    { because: "its part is done", row: "| 000-1-1 | w | part 6 |", says: "the parts to come are 7 to 15" },
    { because: "its part does not exist", row: "| 000-1-1 | w | part 16 |", says: "names part 16" },
    { because: "its proof mixes forms", row: `| 000-1-1 | w | part 9; ${TESTS} › adds |`, says: "no known form" },
    {
      because: "its deviation has no reason",
      row: "| 000-1-1 | w | deviation: decisions/0001-one-loop.md |",
      says: "no known form",
    },
    {
      because: "its decision does not exist",
      row: "| 000-1-1 | w | deviation: decisions/0009-gone.md (why) |",
      says: "names docs/decisions/0009-gone.md, which does not exist",
    },
    {
      because: "its test file does not exist",
      row: "| 000-1-1 | w | libs/core/src/gone.test.ts › adds |",
      says: "names libs/core/src/gone.test.ts, which does not exist",
    },
    {
      because: "its test file is none that runs",
      row: "| 000-1-1 | w | ../libs/core/src/cart.test.ts › adds |",
      says: "where no tests are run",
    },
    {
      because: "it names a flow that is none of the browser's suite",
      row: "| 000-1-1 | w | apps/ui/flows/board.test.ts › adds |",
      says: "where no tests are run",
    },
    { because: "it names no title", row: `| 000-1-1 | w | ${TESTS} |`, says: "no known form" },
  ])("because $because", ({ row, says }) => {
    const { problems } = check(row);
    expect(problems[0]).toMatch(/^docs\/seeds\.md:5: /);
    expect(problems[0]).toContain(says);
  });

  test("because its id was there before, wherever that was", () => {
    expect(check("| 000-1-1 | w | part 9 |\n| 000-1-1 | w | part 9 |").problems).toEqual([
      "docs/seeds.md:6: 000-1-1 is already at docs/seeds.md:5",
    ]);
  });

  test("because its table has another header", () => {
    const text = `| number | what | proof |\n|---|---|---|\n| 000-1-1 | w | part 9 |\n`;
    const { problems } = checkSeeds([{ path: "a.md", text }], () => undefined);
    expect(problems[0]).toBe("a.md:1: a table has to start with the line | id | what the seed asks | proof |");
  });
});

test("a seed without rows is a problem, so an empty document is five", () => {
  expect(checkSeeds([{ path: "docs/seeds.md", text: "" }], () => undefined).problems).toEqual(
    ["000", "001", "002", "003", "004"].map((seed) => `seed ${seed} has no row`),
  );
});

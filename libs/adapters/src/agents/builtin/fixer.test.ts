import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Finding } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtinFixer } from "./fixer.ts";
import { findingsOf } from "./testing/memory-change.ts";
import { tracked, worktreeOf } from "./testing/worktree.ts";

const go = new AbortController().signal;
const log = "console.log";
const only = ".only";

async function fix(worktree: string, findings: Finding[]): Promise<string> {
  const answer = await builtinFixer.fix({ worktree, findings: findings.map(tracked), prompt: "" }, go);
  expect(answer.refutations).toEqual([]);
  return answer.text;
}

/** Reviews a text as a new file, fixes what was found, and gives back the text after that. */
async function fixed(path: string, text: string): Promise<{ text: string; says: string }> {
  using worktree = worktreeOf({ [path]: text });
  const says = await fix(worktree.path, await findingsOf([{ path, after: text }]));
  return { text: readFileSync(join(worktree.path, path), "utf8"), says };
}

describe("the fixer repairs", () => {
  test.for([
    { what: "a focused test", path: "a.test.ts", text: `it${only}("a", f);\n`, after: 'it("a", f);\n' },
    {
      what: "a focused suite in CRLF text",
      path: "a.test.ts",
      text: `x();\r\ndescribe${only}("ä", f);\r\n`,
      after: 'x();\r\ndescribe("ä", f);\r\n',
    },
    { what: "a focus without a final newline", path: "a.test.ts", text: `it${only}("a", f)`, after: 'it("a", f)' },
    {
      what: "a focused table",
      path: "a.test.ts",
      text: `it${only}.each([1])("a", f);\n`,
      after: 'it.each([1])("a", f);\n',
    },
    {
      what: "the short focus",
      path: "a.spec.ts",
      text: 'fdescribe("a", () => {\n  fit("b", f);\n});\n',
      after: 'describe("a", () => {\n  it("b", f);\n});\n',
    },
    {
      what: "two focuses on one line",
      path: "a.test.ts",
      text: `describe${only}("a", () => it${only}("b", f));\n`,
      after: 'describe("a", () => it("b", f));\n',
    },
    { what: "a focused Ginkgo test", path: "a_test.go", text: 'FIt("a", func() {})\n', after: 'It("a", func() {})\n' },
    {
      what: "a focus but not the same word in a string",
      path: "a.test.ts",
      text: `it${only}("uses it${only}(x)", f);\n`,
      after: `it("uses it${only}(x)", f);\n`,
    },
    {
      what: "a log on a line of its own",
      path: "src/a.ts",
      text: `a();\n  ${log}("x", a.b);\nb();\n`,
      after: "a();\nb();\n",
    },
    {
      what: "a log with harmless calls",
      path: "src/a.ts",
      text: `a();\n${log}(JSON.stringify(a), \`\${b}\`);\nb();\n`,
      after: "a();\nb();\n",
    },
    {
      what: "a log between statements without semicolons",
      path: "src/a.ts",
      text: `const a = b()\n${log}(a)\nreturn a\n`,
      after: "const a = b()\nreturn a\n",
    },
    {
      what: "a debugger statement",
      path: "src/a.ts",
      text: "function f() {\n  debugger;\n  return 1;\n}\n",
      after: "function f() {\n  return 1;\n}\n",
    },
    {
      what: "a log on the last line of a file without a final newline",
      path: "src/a.ts",
      text: `a();\n${log}(1);`,
      after: "a();",
    },
    {
      what: "a log on the last line of CRLF text",
      path: "src/a.ts",
      text: `a();\r\n${log}(1);\r\n`,
      after: "a();\r\n",
    },
    { what: "a log that is the whole file", path: "src/a.ts", text: `${log}(1);\n`, after: "" },
    {
      what: "two equal logs that were both reported",
      path: "src/a.ts",
      text: `${log}(1);\na();\n${log}(1);\n`,
      after: "a();\n",
    },
    {
      what: "a Python breakpoint",
      path: "app/a.py",
      text: "def f():\n    breakpoint()\n    return 1\n",
      after: "def f():\n    return 1\n",
    },
    {
      what: "pdb on one line",
      path: "app/a.py",
      text: "def f():\n    import pdb; pdb.set_trace()\n    return 1\n",
      after: "def f():\n    return 1\n",
    },
    { what: "pry", path: "lib/a.rb", text: "def f\n  binding.pry\n  1\nend\n", after: "def f\n  1\nend\n" },
    { what: "dbg", path: "src/a.rs", text: "fn f() {\n    dbg!(x);\n    g();\n}\n", after: "fn f() {\n    g();\n}\n" },
    {
      what: "a trailing comma in JSON",
      path: "a.json",
      text: '{\n  "a": [1, 2,],\n  "b": ",]"\n}\n',
      after: '{\n  "a": [1, 2],\n  "b": ",]"\n}\n',
    },
    {
      what: "all trailing commas in CRLF JSON",
      path: "a.json",
      text: '{\r\n  "a": [\r\n    1,\r\n  ],\r\n}',
      after: '{\r\n  "a": [\r\n    1\r\n  ]\r\n}',
    },
    {
      what: "a trailing comma behind a byte order mark",
      path: "a.json",
      text: '\uFEFF{"ü": 1,}\n',
      after: '\uFEFF{"ü": 1}\n',
    },
  ])("$what", async ({ path, text, after }) => {
    expect((await fixed(path, text)).text).toBe(after);
  });
});

describe("the fixer leaves to a person", () => {
  test.for([
    { what: "a skipped test", path: "a.test.ts", text: 'xit("a", f);\n', says: "judgement" },
    { what: "a promise in a comment", path: "src/a.ts", text: "// TO" + "DO x\n", says: "judgement" },
    {
      what: "a conflict",
      path: "a.txt",
      text: `${"<".repeat(7)} a\n${"=".repeat(7)}\n${">".repeat(7)} b\n`,
      says: "judgement",
    },
    { what: "an empty handler", path: "src/a.ts", text: "try { a(); } catch {}\n", says: "judgement" },
    {
      what: "a focus given as an option",
      path: "a.test.mjs",
      text: 'test("a", { only: true }, f);\n',
      says: "plain word",
    },
    {
      what: "a log whose arguments do something",
      path: "src/a.ts",
      text: `a();\n${log}(save());\n`,
      says: "have side effects",
    },
    { what: "a log whose argument counts", path: "src/a.ts", text: `a();\n${log}(i++);\n`, says: "have side effects" },
    {
      what: "a log whose argument assigns",
      path: "src/a.ts",
      text: `a();\n${log}((b = 1));\n`,
      says: "have side effects",
    },
    {
      what: "a log that calls inside a template",
      path: "src/a.ts",
      text: `a();\n${log}(\`\${save()}\`);\n`,
      says: "have side effects",
    },
    {
      what: "a print that calls inside its text",
      path: "app/a.py",
      text: 'def f():\n    a()\n    print(f"{save()}")\n',
      says: "have side effects",
    },
    {
      what: "a log that is an argument of a call which logs too",
      path: "src/a.ts",
      text: `a();\nb(${log}(1),\n${log}(2)\n);\n`,
      says: "part of a longer statement",
    },
    { what: "a log next to other code", path: "src/a.ts", text: `a(); ${log}(1);\n`, says: "more than" },
    { what: "a log over several lines", path: "src/a.ts", text: `a();\n${log}(\n  1,\n);\n`, says: "more than" },
    { what: "a log that is the body of an if", path: "src/a.ts", text: `if (a)\n  ${log}(1);\nb();\n`, says: "block" },
    {
      what: "a log that is all an arrow does",
      path: "src/a.ts",
      text: `const f = () =>\n  ${log}(1);\n`,
      says: "longer statement",
    },
    { what: "a log that is an argument", path: "src/a.ts", text: `f(\n  ${log}(1)\n);\n`, says: "longer statement" },
    {
      what: "a log whose handler would be empty",
      path: "src/a.ts",
      text: `try {\n  a();\n} catch (e) {\n  ${log}(e);\n}\n`,
      says: "block",
    },
    {
      what: "two logs whose handler would be empty",
      path: "src/a.ts",
      text: `try {\n  a();\n} catch (e) {\n  ${log}(e);\n  ${log}(1);\n}\n`,
      says: "block",
    },
    {
      what: "a print that is all a function does",
      path: "app/a.py",
      text: "def f():\n    print(1)\n\ndef g():\n    return 1\n",
      says: "block",
    },
    { what: "JSON that is broken in another way", path: "a.json", text: '{"a": 1,\n"b" 2,}\n', says: "" },
    { what: "YAML", path: "a.yaml", text: "a: [1,\nb: 2\n", says: "comma" },
  ])("$what", async ({ path, text, says }) => {
    const result = await fixed(path, text);
    expect(result.text).toBe(text);
    expect(result.says).toContain("left, ");
    expect(result.says).toContain(says);
  });

  const finding: Finding = {
    rule: "debug-leftover",
    category: "style",
    severity: "medium",
    title: "t",
    description: "d",
    file: "src/a.ts",
    line: 2,
    snippet: "debugger;",
  };

  test.for<{ what: string; text: string; change?: Partial<Finding>; says: string }>([
    { what: "a line that is no longer there", text: "a();\nb();\n", says: "no longer there" },
    {
      what: "a line that stands twice but was reported once",
      text: "debugger;\na();\ndebugger;\n",
      says: "occurs several times",
    },
    { what: "a line far from where it was reported", text: `${"a();\n".repeat(80)}debugger;\n`, says: "too far" },
    { what: "a line with other spaces", text: "a();\n  debugger;\n", says: "no longer there" },
    { what: "a finding without a snippet", text: "a();\ndebugger;\n", change: { snippet: "" }, says: "no single line" },
    {
      what: "a masked line",
      text: 'a();\nconsole.log("k");\n',
      change: { snippet: 'console.log("****");' },
      says: "no longer there",
    },
    { what: "a rule it does not know", text: "a();\ndebugger;\n", change: { rule: "__proto__" }, says: "judgement" },
  ])("$what", async ({ text, change, says }) => {
    using worktree = worktreeOf({ "src/a.ts": text });
    expect(await fix(worktree.path, [{ ...finding, ...change }])).toContain(says);
    expect(readFileSync(join(worktree.path, "src/a.ts"), "utf8")).toBe(text);
  });

  test("a line that moved a little is still the reported one", async () => {
    using worktree = worktreeOf({ "src/a.ts": `${"a();\n".repeat(30)}debugger;\n` });
    expect(await fix(worktree.path, [finding])).toContain("fixed, deleted the line");
  });

  test("bytes that are not UTF-8", async () => {
    using worktree = worktreeOf({ "src/a.ts": Uint8Array.from([...Buffer.from("debugger;\n"), 0xff, 0xfe]) });
    expect(await fix(worktree.path, [finding])).toContain("not UTF-8");
  });

  test.for([
    "../out.ts",
    "/etc/passwd",
    "src/../../out.ts",
    ".git/config.ts",
    "src//a.ts",
    "",
    "src/./a.ts",
    "sub/.GIT/a.ts",
    "src",
    "gone.ts",
    "a\0.ts",
  ])("the path %j, which is not a file of the worktree", async (file) => {
    using outer = worktreeOf({
      "out.ts": "debugger;\n",
      "inner/src/a.ts": "a();\n",
      "inner/.git/config.ts": "debugger;\n",
    });
    expect(await fix(join(outer.path, "inner"), [{ ...finding, line: 1, file }])).toContain("left, ");
    expect(readFileSync(join(outer.path, "out.ts"), "utf8")).toBe("debugger;\n");
    expect(readFileSync(join(outer.path, "inner/.git/config.ts"), "utf8")).toBe("debugger;\n");
  });

  test("a link and a folder that is a link", async () => {
    using outer = worktreeOf({ "out.ts": "debugger;\n", "folder/a.ts": "debugger;\n" });
    const worktree = join(outer.path, "inner");
    mkdirSync(worktree);
    symlinkSync("../out.ts", join(worktree, "link.ts"));
    symlinkSync("../folder", join(worktree, "linked"));
    const says = await fix(worktree, [
      { ...finding, line: 1, file: "link.ts" },
      { ...finding, line: 1, file: "linked/a.ts" },
    ]);
    expect(says.match(/symbolic link/g)).toHaveLength(2);
    expect(readFileSync(join(outer.path, "out.ts"), "utf8")).toBe("debugger;\n");
    expect(readFileSync(join(outer.path, "folder/a.ts"), "utf8")).toBe("debugger;\n");
  });
});

describe("the fixer writes", () => {
  const text = "a();\ndebugger;\n";
  const finding: Finding = {
    rule: "debug-leftover",
    category: "style",
    severity: "medium",
    title: "t",
    description: "d",
    file: "a.ts",
    line: 2,
    snippet: "debugger;",
  };

  test("a new file in place of the old one, with its mode and without leftovers", async () => {
    using worktree = worktreeOf({ "a.ts": text });
    const path = join(worktree.path, "a.ts");
    chmodSync(path, 0o754);
    linkSync(path, join(worktree.path, "other-name.ts"));
    await fix(worktree.path, [finding]);
    expect(statSync(path).mode & 0o777).toBe(0o754);
    expect(readFileSync(path, "utf8")).toBe("a();\n");
    expect(readFileSync(join(worktree.path, "other-name.ts"), "utf8")).toBe(text);
    expect(readdirSync(worktree.path).sort()).toEqual(["a.ts", "other-name.ts"]);
  });

  test("nothing when there is nothing to do", async () => {
    using worktree = worktreeOf({ "a.ts": "a();\n" });
    const path = join(worktree.path, "a.ts");
    const before = statSync(path).ino;
    await fix(worktree.path, [finding]);
    expect(statSync(path).ino).toBe(before);
  });

  test("nothing after it was stopped", async () => {
    using worktree = worktreeOf({ "a.ts": text });
    const stopped = AbortSignal.abort(new Error("stop"));
    await expect(
      builtinFixer.fix({ worktree: worktree.path, findings: [tracked(finding)], prompt: "" }, stopped),
    ).rejects.toThrow("stop");
    expect(readFileSync(join(worktree.path, "a.ts"), "utf8")).toBe(text);
  });

  test("an account with one line for every finding", async () => {
    using worktree = worktreeOf({ "a.ts": text });
    const says = await fix(worktree.path, [finding, { ...finding, rule: "secret", line: 9 }]);
    expect(says.split("\n")).toEqual([
      "Fixed 1 of 2 findings; the rest is left to a person.",
      "- secret at a.ts:9: left, this needs a person's judgement",
      "- debug-leftover at a.ts:2: fixed, deleted the line",
    ]);
  });
});

describe("whatever the file", () => {
  const line = fc.constantFrom(
    "a();",
    "",
    "  b();",
    `${log}("x");`,
    `  ${log}("x");`,
    "debugger;",
    "if (a) {",
    "}",
    "} catch (e) {",
    "// note",
    "const s = `",
    "`;",
    `it${only}("a", () => {`,
    "});",
    `describe${only}("b", () => {`,
    'fit("c", f);',
    `const t = "it${only}(";`,
    "if (x)",
    "return a",
    `a(); ${log}(1)`,
    "ü();",
  );
  const file = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 25 }),
    end: fc.constantFrom("\n", "\r\n"),
    final: fc.boolean(),
    path: fc.constantFrom("src/a.ts", "src/a.test.ts"),
  });

  test("a log is not deleted by a second run because another one was left", async () => {
    const text = [`  ${log}("x");`, "a();", `${log}("x");`, `  ${log}("x");`, "`;", "a();"].join("\n");
    using worktree = worktreeOf({ "src/a.ts": text });
    const findings = await findingsOf([{ path: "src/a.ts", after: text }]);
    await fix(worktree.path, findings);
    const once = readFileSync(join(worktree.path, "src/a.ts"), "utf8");
    await fix(worktree.path, findings);
    expect(readFileSync(join(worktree.path, "src/a.ts"), "utf8")).toBe(once);
  });

  test("a second run changes nothing, and only reported lines are touched", async () => {
    await fc.assert(
      fc.asyncProperty(file, async ({ lines, end, final, path }) => {
        const text = lines.join(end) + (final ? end : "");
        using worktree = worktreeOf({ [path]: text });
        const findings = await findingsOf([{ path, after: text }]);
        await fix(worktree.path, findings);
        const once = readFileSync(join(worktree.path, path), "utf8");
        await fix(worktree.path, findings);
        expect(readFileSync(join(worktree.path, path), "utf8")).toBe(once);
        const reported = new Set(findings.map((one) => one.line));
        const untouched = text.split(end).filter((_, index) => !reported.has(index + 1));
        const kept = once.split(end);
        for (const one of untouched.filter((text) => text !== "")) {
          const at = kept.indexOf(one);
          expect(at).toBeGreaterThanOrEqual(0);
          kept.splice(0, at + 1);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("a review after the fix finds a strict part of what it found before", async () => {
    await fc.assert(
      fc.asyncProperty(file, async ({ lines, end, final, path }) => {
        const text = lines.join(end) + (final ? end : "");
        using worktree = worktreeOf({ [path]: text });
        const before = await findingsOf([{ path, after: text }]);
        await fix(worktree.path, before);
        const now = readFileSync(join(worktree.path, path), "utf8");
        const after = await findingsOf([{ path, after: now }]);
        const rest = before.map((one) => `${one.rule} ${one.snippet}`);
        for (const one of after) {
          const at = rest.indexOf(`${one.rule} ${one.snippet}`);
          expect(at).toBeGreaterThanOrEqual(0);
          rest.splice(at, 1);
        }
        if (now !== text) expect(after.length).toBeLessThan(before.length);
      }),
      { numRuns: 200 },
    );
  });

  test("a file is the same after the fix when nothing was found in it", async () => {
    using worktree = worktreeOf({ "src/a.ts": "a();\n" });
    writeFileSync(join(worktree.path, "src/b.ts"), "debugger;\n");
    await fix(worktree.path, await findingsOf([{ path: "src/a.ts", after: "a();\n" }]));
    expect(readFileSync(join(worktree.path, "src/b.ts"), "utf8")).toBe("debugger;\n");
  });
});

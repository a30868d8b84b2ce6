import { describe, expect, test } from "vitest";
import { findingsOf, seen } from "../testing/memory-change.ts";

describe("swallowed-exception reports", () => {
  test.for([
    { what: "an empty catch", path: "src/a.ts", after: "try { x(); } catch (e) {}\n", at: [1, 1] },
    { what: "an empty catch without a name", path: "src/a.ts", after: "try {\n  x();\n} catch {\n}\n", at: [3, 4] },
    {
      what: "an empty catch in CRLF text without a final newline",
      path: "src/a.js",
      after: "try {\r\n  ö();\r\n} catch (e) {\r\n\r\n}",
      at: [3, 5],
    },
    { what: "an empty promise handler", path: "src/a.ts", after: "x();\nsave().catch(() => {});\n", at: [2, 2] },
    { what: "an empty promise function", path: "src/a.js", after: "save().catch(function (e) {});\n", at: [1, 1] },
    { what: "a bare except with pass", path: "app/a.py", after: "try:\n    x()\nexcept:\n    pass\n", at: [3, 4] },
    {
      what: "except Exception with pass",
      path: "app/a.py",
      after: "try:\n    x()\nexcept Exception as e:\n    pass\n",
      at: [3, 4],
    },
    { what: "except on one line", path: "app/a.py", after: "try: x()\nexcept Exception: pass\n", at: [2, 2] },
    {
      what: "suppressing everything",
      path: "app/a.py",
      after: "with contextlib.suppress(Exception):\n    x()\n",
      at: [1, 1],
    },
    { what: "a dropped Go error", path: "a.go", after: "x, err := f()\n_ = err\n", at: [2, 2] },
    { what: "an empty Go check", path: "a.go", after: "if err != nil {\n}\n", at: [1, 2] },
    {
      what: "an empty Java catch",
      path: "src/main/A.java",
      after: "try { x(); } catch (IOException e) { }\n",
      at: [1, 1],
    },
    { what: "an empty C# catch", path: "src/A.cs", after: "catch (Exception e)\n{\n}\n", at: [1, 3] },
    {
      what: "an empty catch far along a line, with a comment elsewhere on it",
      path: "src/a.js",
      after: `/* speaks of other things */${"a();".repeat(600)}try{b()}catch(e){}\n`,
      at: [1, 1],
    },
    { what: "an empty rescue", path: "lib/a.rb", after: "begin\n  x\nrescue => e\nend\n", at: [3, 4] },
  ])("$what", async ({ path, after, at }) => {
    const found = (await findingsOf([{ path, after }])).filter((one) => one.rule === "swallowed-exception");
    expect(found.map((one) => [one.line, one.endLine])).toEqual([at]);
    expect(found[0]?.severity).toBe("medium");
  });

  test("one whose whole handler was rewritten, though its first line looks as before", async () => {
    const before = "try {\n  x();\n} catch (e) {\n  report(e);\n  throw e;\n}\n";
    const after = "try {\n  y();\n  z();\n  } catch (e) {\n  }\n";
    expect(await seen([{ path: "src/a.ts", before, after }])).toEqual(["swallowed-exception@4"]);
  });

  test("as low in a test, where clean-up may fail", async () => {
    const found = await findingsOf([{ path: "a.test.ts", after: "rm(dir).catch(() => {});\n" }]);
    expect(found.map((one) => one.severity)).toEqual(["low"]);
  });
});

describe("swallowed-exception is silent about", () => {
  test.for([
    { what: "a handler that does something", path: "src/a.ts", after: "try { x(); } catch (e) { report(e); }\n" },
    {
      what: "a comment inside that explains",
      path: "src/a.ts",
      after: "try {\n  x();\n} catch {\n  // the file may be gone already\n}\n",
    },
    { what: "a comment on the same line", path: "src/a.ts", after: "try { x(); } catch {} // best effort\n" },
    {
      what: "a comment right above a handler of one line",
      path: "src/a.ts",
      after: "// nobody waits for it\nsave().catch(() => {});\n",
    },
    {
      what: "a failure named as ignored",
      path: "src/main/A.java",
      after: "try { x(); } catch (IOException ignored) {}\n",
    },
    { what: "a promise handler with an unused name", path: "src/a.ts", after: "save().catch((_error) => {});\n" },
    { what: "a promise handler with a value", path: "src/a.ts", after: "const a = await load().catch(() => null);\n" },
    {
      what: "a promise handler with an empty object",
      path: "src/a.ts",
      after: "const a = await load().catch(() => ({}));\n",
    },
    { what: "a named Python exception", path: "app/a.py", after: "try:\n    x()\nexcept KeyError:\n    pass\n" },
    { what: "a missing Python module", path: "app/a.py", after: "try:\n    import x\nexcept ImportError:\n    pass\n" },
    {
      what: "a Python handler with a reason",
      path: "app/a.py",
      after: "except Exception:  # shutting down anyway\n    pass\n",
    },
    { what: "a Python handler that logs", path: "app/a.py", after: "except Exception:\n    log.exception('x')\n" },
    { what: "closing a Go file", path: "a.go", after: "_ = f.Close()\n" },
    { what: "a catch in a string", path: "src/a.ts", after: 'const a = "try {} catch (e) {}";\n' },
    { what: "a catch in a comment", path: "src/a.ts", after: "// try { x } catch (e) {}\n" },
    { what: "a catch in a template", path: "src/a.ts", after: "const a = `\ntry {} catch (e) {}\n`;\n" },
    { what: "a document", path: "README.md", after: "try {} catch (e) {}\n" },
    { what: "an empty function", path: "src/a.ts", after: "const noop = () => {};\nfunction catchAll() {}\n" },
    {
      what: "one that was there before",
      path: "src/a.ts",
      before: "try { x(); } catch {}\n",
      after: "try { x(); } catch {}\ny();\n",
    },
    {
      what: "one that only moved",
      path: "src/a.ts",
      before: "try { x(); } catch {}\n",
      after: "if (y) {\n  try { x(); } catch {}\n}\n",
    },
  ])("$what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "swallowed-exception")).toEqual([]);
  });
});

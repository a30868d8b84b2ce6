import { describe, expect, test } from "vitest";
import { builtinReviewer } from "../reviewer.ts";
import { changeOf, findingsOf, seen } from "../testing/memory-change.ts";

const good = '{\n  "a": 1,\n  "b": [1, 2]\n}\n';

describe("broken-data-file reports", () => {
  test.for([
    { what: "JSON with a missing comma", path: "a.json", before: good, after: '{\n  "a": 1\n  "b": 2\n}\n', at: [3] },
    { what: "JSON that ends too early", path: "a.json", after: '{\n  "a": 1,\n  "b": [\n', at: [3] },
    { what: "JSON with a trailing comma", path: "a.json", after: '{\n  "a": 1,\n}\n', at: [2] },
    { what: "every trailing comma of JSON", path: "a.json", after: '{\n  "a": [\n    1,\n  ],\n}\n', at: [3, 4] },
    { what: "a comment in strict JSON", path: "package.json", after: '{\n  // name\n  "a": 1\n}\n', at: [2] },
    {
      what: "JSON broken by removing a line",
      path: "a.json",
      before: good,
      after: '{\n  "a": 1,\n  "b": [1, 2]\n',
      at: [3],
    },
    { what: "CRLF JSON", path: "a.json", after: '{\r\n  "ä": 1,\r\n}\r\n', at: [2] },
    { what: "JSON without a final newline", path: "a.json", after: '{"a": 1,}', at: [1] },
    { what: "an empty JSON file", path: "a.json", before: good, after: "", at: [1] },
    { what: "a broken lock file", path: "package-lock.json", before: good, after: '{\n  "a": 1,,\n}\n', at: [2] },
    { what: "a broken tsconfig", path: "tsconfig.json", after: '{\n  "a": [1,\n}\n', at: [3] },
    { what: "YAML with bad indentation", path: "a.yml", after: "a:\n  b: 1\n c: 2\n", at: [3] },
    { what: "YAML with an open quote", path: "a.yaml", before: "a: 1\n", after: 'a: "x\nb: 2\n', at: [2] },
    { what: "a broken second document", path: "a.yaml", after: "a: 1\n---\nb: [1, 2\nc: 3\n", at: [4] },
    { what: "YAML indented with a tab", path: "a.yaml", after: "a:\n\tb: 1\n", at: [2] },
    { what: "TOML with a missing value", path: "a.toml", after: 'a = 1\nb =\nc = "x"\n', at: [2] },
    { what: "TOML with an open table head", path: "Cargo.toml", after: '[package\nname = "x"\n', at: [1] },
    {
      what: "a template's JSON that parsed before",
      path: "a.json",
      before: '{"a": "{{b}}"}\n',
      after: '{"a": "{{b}}",}\n',
      at: [1],
    },
  ])("$what", async ({ what: _, at, ...edit }) => {
    expect(await seen([edit])).toEqual(at.map((line) => `broken-data-file@${line}`));
  });

  test("as high, with the line that does not parse", async () => {
    const [found] = await findingsOf([{ path: "a.json", before: good, after: '{\n  "a": 1\n  "b": 2\n}\n' }]);
    expect(found).toMatchObject({ severity: "high", category: "logic", snippet: '  "b": 2', line: 3 });
  });
});

describe("broken-data-file is silent about", () => {
  test.for([
    { what: "JSON that parses", path: "a.json", after: good },
    { what: "JSON with a byte order mark", path: "a.json", after: `\uFEFF${good}` },
    { what: "comments in a tsconfig", path: "packages/x/tsconfig.build.json", after: '{\n  // why\n  "a": [1,],\n}\n' },
    { what: "comments in editor settings", path: ".vscode/settings.json", after: '{\n  // why\n  "a": 1,\n}\n' },
    { what: "comments in JSONC", path: "a.jsonc", after: '{ /* x */ "a": 1, }\n' },
    { what: "comments in an ESLint file", path: ".eslintrc", after: '{ // x\n "a": 1 }\n' },
    { what: "what was broken before", path: "a.json", before: "{,}\n", after: "{,,}\n" },
    { what: "custom tags", path: "template.yaml", after: "a: !Ref Thing\nb: !Sub\n  - x\n  - y: !GetAtt z.w\n" },
    { what: "tags under a handle of their own", path: "a.yaml", after: "a: !x!y 1\n" },
    { what: "several documents", path: "k8s.yaml", after: "a: 1\n---\nb: 2\n---\nc: 3\n" },
    { what: "keys given twice", path: "a.yaml", after: "a: 1\na: 2\n" },
    { what: "anchors and merges", path: "a.yaml", after: "x: &x\n  a: 1\ny:\n  <<: *x\n" },
    { what: "block text with braces", path: "a.yaml", after: "run: |\n  if [ $a ]; then\n    echo {\n  fi\n" },
    {
      what: "a workflow with expressions",
      path: ".github/workflows/a.yml",
      after: "on: push\nenv:\n  A: ${" + "{ github.sha }}\n",
    },
    {
      what: "TOML with dates and big numbers",
      path: "a.toml",
      after: "d = 1979-05-27T07:32:00Z\nn = 9223372036854775807\n",
    },
    { what: "a fixture that is wrong on purpose", path: "tests/fixtures/invalid.json", after: "{,}\n" },
    {
      what: "a large-file pointer",
      path: "a.json",
      after: "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n",
    },
    { what: "a symbolic link", path: "a.json", after: "../b.json", mode: "120000" },
    { what: "a deleted file", path: "a.json", before: good },
    { what: "JSON in a document", path: "README.md", after: '```json\n{"a": 1,}\n```\n' },
    { what: "JSON lines", path: "a.jsonl", after: '{"a":1}\n{"b":2}\n' },
    { what: "JSON5", path: "a.json5", after: "{a: 1,}\n" },
  ])("$what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "broken-data-file")).toEqual([]);
  });

  test.for([
    { path: "chart/templates/a.yaml", after: "a: {{ .Values.x }}\n{{- if .y }}\n  b: 1\n{{- end }}\n" },
    { path: "a.yml.j2.yml", after: "{% for x in y %}\n- {{ x }}\n{% endfor %}\n" },
  ])("a new template such as $path, and says so in the notes", async (edit) => {
    const { report, coverage } = await builtinReviewer.review(changeOf([edit]), new AbortController().signal);
    expect(report).toMatchObject({ findings: [], notes: [`${edit.path}: syntax not checked, it is a template`] });
    expect(coverage.reviewed).toEqual([edit.path]);
  });
});

import { expect, test } from "vitest";
import { fileKind } from "./file-kind.ts";

test.for([
  "src/a.test.ts",
  "a.spec.jsx",
  "__tests__/a.js",
  "e2e/login.cy.ts",
  "test/a.mjs",
  "a-test.ts",
  "tests/test_a.py",
  "app/a_test.py",
  "conftest.py",
  "pkg/a_test.go",
  "tests/a.rs",
  "src/test/java/A.java",
  "ATest.java",
  "ASpec.kt",
  "ATests.cs",
  "spec/a_spec.rb",
  "test/test_a.rb",
  "ATest.php",
  "ATests.swift",
])("%s is a test", (path) => {
  expect(fileKind(path).test).toBe(true);
});

test.for([
  "src/test-runner.ts",
  "src/latest.ts",
  "contest.py",
  "attest.go",
  "testing.go",
  "README.md",
  "tests/data.json",
  "tests/fixtures/a.ts",
  "src/specification.ts",
  "src/main/java/Latest.java",
  "docs/test.md",
  "src/protest.rb",
  "pkg/test/helper.go",
])("%s is not a test", (path) => {
  expect(fileKind(path).test).toBe(false);
});

test.for([
  "node_modules/a/b.js",
  "vendor/a.go",
  "a.min.js",
  "dist/a.js",
  "package-lock.json",
  "sub/Cargo.lock",
  "a.pb.go",
  "a.js.map",
  "__snapshots__/a.snap",
])("%s is generated", (path) => {
  expect(fileKind(path).generated).toBe(true);
});

test.for(["src/vendors.ts", "src/distance.ts", "lockfile.ts", "package.json", "src/map.ts"])(
  "%s is written by hand",
  (path) => {
    expect(fileKind(path).generated).toBe(false);
  },
);

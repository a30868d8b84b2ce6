import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeResult } from "./write-result.ts";

const folder = mkdtempSync(join(tmpdir(), "anneal-output-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

test("a new file and an old one hold the result, and nothing else is left behind", () => {
  writeResult(at("a.json"), "one");
  writeResult(at("a.json"), "two");
  expect(readFileSync(at("a.json"), "utf8")).toBe("two");
  expect(readdirSync(folder)).toEqual(["a.json"]);
});

test("the mode of an old file stays", () => {
  writeFileSync(at("secret.json"), "", { mode: 0o600 });
  writeResult(at("secret.json"), "new");
  expect(statSync(at("secret.json")).mode & 0o777).toBe(0o600);
});

test("a link is followed, not replaced", () => {
  writeFileSync(at("target"), "old");
  symlinkSync(at("target"), at("link"));
  writeResult(at("link"), "new");
  expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
  expect(readFileSync(at("target"), "utf8")).toBe("new");
});

test("a device is written to and stays one", () => {
  const before = lstatSync("/dev/null").isCharacterDevice();
  writeResult("/dev/null", "gone");
  expect([before, lstatSync("/dev/null").isCharacterDevice()]).toEqual([true, true]);
});

test("a pipe is written to", () => {
  const source = new URL("./write-result.ts", import.meta.url).pathname;
  const code = `import(${JSON.stringify(source)}).then(({ writeResult }) => writeResult("/dev/stdout", "through the pipe"))`;
  expect(execFileSync(process.execPath, ["-e", code], { encoding: "utf8" })).toBe("through the pipe");
});

test("a folder that does not exist is an error, and leaves nothing", () => {
  expect(() => writeResult(at("no/such/folder.json"), "x")).toThrow("ENOENT");
  expect(execFileSync("ls", [folder], { encoding: "utf8" })).not.toContain(".tmp");
});

import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { readCommand } from "./command.ts";
import { runSteps, stepArgv } from "./run-steps.ts";

const node = JSON.stringify(process.execPath);
const prints = (code: string) => `${node} -e ${JSON.stringify(code).replaceAll("$", "\\$")}`;
const run = (dir: string, line: string) =>
  runSteps(readCommand(line), { worktree: { root: dir }, timeoutMs: 60_000, sandbox: "off" });

describe("running the steps of a command", () => {
  test("each runs in its folder and with its variables, one after another", async () => {
    using folder = tempFolder();
    folder.write("a/b/file", "");
    const where = prints("console.log(process.cwd() + ' ' + process.env.X)");
    const { result, output, failed } = await run(
      folder.dir,
      `${where} && cd a/b && X='1 $HOME' ${where} && cd .. && ${where}`,
    );
    expect({ result, failed }).toEqual({ result: "passed", failed: undefined });
    expect(output.trim().split("\n")).toEqual([
      `${folder.dir} undefined`,
      `${folder.path("a/b")} 1 $HOME`,
      `${folder.path("a")} undefined`,
    ]);
  });

  test("a step that fails ends it, and is named", async () => {
    using folder = tempFolder();
    folder.write("a/file", "");
    const fails = prints("process.exit(3)");
    const result = await run(folder.dir, `cd a && ${fails} && ${prints("console.log('after')")}`);
    expect(result).toMatchObject({ result: "failed", failed: fails });
    expect(result.output).not.toContain("after");
  });

  test.for([
    {
      name: "a program that does not exist",
      line: "cd a && no-such-program x",
      note: /^no-such-program was not found/,
    },
    { name: "a folder that does not exist", line: `cd b && ${prints("0")}`, note: /cannot be run/ },
    { name: "a link out of the worktree", line: `cd out && ${prints("0")}`, note: /cannot be run/ },
  ])("$name fails with a reason", async ({ line, note }) => {
    using outside = tempFolder();
    using folder = tempFolder();
    folder.write("a/file", "");
    symlinkSync(outside.dir, folder.path("out"));
    expect(await run(folder.dir, line)).toMatchObject({ result: "failed", note: expect.stringMatching(note) });
  });

  test("a step with nothing of its own is run as it stands", () => {
    expect(readCommand("go test ./...").map(stepArgv)).toEqual([["go", "test", "./..."]]);
  });
});

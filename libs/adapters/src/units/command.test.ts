import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CommandSyntaxError } from "../checks/argv.ts";
import { readCommand } from "./command.ts";

const steps = (line: string) =>
  readCommand(line).map(({ argv, folder, env }) => [
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...(folder === "" ? [] : [`in ${folder}:`]),
    ...argv,
  ]);

describe("the command of a task runs without a shell", () => {
  test.for<[string, string[][]]>([
    [
      "go test ./internal/config/... -run TestDefault",
      [["go", "test", "./internal/config/...", "-run", "TestDefault"]],
    ],
    [
      "go build ./... && go vet ./...",
      [
        ["go", "build", "./..."],
        ["go", "vet", "./..."],
      ],
    ],
    ["cd koe && pnpm typecheck", [["in koe:", "pnpm", "typecheck"]]],
    [
      "cd koe && pnpm install && cd src-tauri && cargo check",
      [
        ["in koe:", "pnpm", "install"],
        ["in koe/src-tauri:", "cargo", "check"],
      ],
    ],
    ["cd a/ && x && cd .. && y", [["in a:", "x"], ["y"]]],
    ["cd './a b' && x", [["in a b:", "x"]]],
    ["NODE_ENV=test CI='a b' npm test", [["NODE_ENV=test", "CI=a b", "npm", "test"]]],
    ['E= X="1 \\" 2" run', [["E=", 'X=1 " 2', "run"]]],
    ["echo 'a && b' \"c && d\"", [["echo", "a && b", "c && d"]]],
    ["echo a=b --x=y", [["echo", "a=b", "--x=y"]]],
    ["bash -c 'make | tee log; exit $?'", [["bash", "-c", "make | tee log; exit $?"]]],
  ])("%j", ([line, is]) => {
    expect(steps(line)).toEqual(is);
  });

  test.for([
    ...["npm test | tee log", "a; b", "a || b", "a & b", "a > log", "a 2>&1", "a < in", "echo $HOME", "echo `id`"],
    ...["echo $(id)", "(a && b)", "A=$(id) b", "A=`id` b", "a && b | c", "a &&& b"],
  ])("%j needs a shell, and the refusal says how to name one", (line) => {
    expect(() => readCommand(line)).toThrow(CommandSyntaxError);
    expect(() => readCommand(line)).toThrow(/needs a shell: write it as bash -c '…'/);
  });

  test.for(["", "  ", "a &&", "&& a", "a && && b", "a 'b", "cd a", "cd", "A=b"])("%j is refused", (line) => {
    expect(() => readCommand(line)).toThrow(CommandSyntaxError);
  });

  test.for(["cd / && x", "cd .. && x", "cd a/../.. && x", "cd ~ && x", "cd - && x", "cd a b && x", "cd 'a\\..' && x"])(
    "%j would leave the worktree and is refused",
    (line) => {
      expect(() => readCommand(line)).toThrow(/does not name a folder below the worktree/);
    },
  );

  test.for(["PATH=./bin x", "LD_PRELOAD=./a.so x", "DYLD_INSERT_LIBRARIES=a x", "ANNEAL_FAILPOINT=a x"])(
    "%j would reach the sandbox itself and is refused",
    (line) => {
      expect(() => readCommand(line)).toThrow(/cannot be set in a command/);
    },
  );

  test("no line makes anything but plain words and folders below the worktree, or it is refused as such", () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.constantFrom("cd", "&&", " ", "..", "/", "'", '"', "\\", "A=b", "$x", "`", ";", "|"),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        try {
          for (const { argv, folder } of readCommand(words.join(" "))) {
            expect(argv[0]).not.toBe("");
            expect(`/${folder}/`).not.toMatch(/\/\.\.\/|\/\/.*\/./);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(CommandSyntaxError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

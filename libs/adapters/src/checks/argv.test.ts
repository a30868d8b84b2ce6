import { describe, expect, test } from "vitest";
import { splitArgv } from "./argv.ts";

describe("a command line", () => {
  test.for<[string, string[]]>([
    ["npm test", ["npm", "test"]],
    ["  npm\t test \n", ["npm", "test"]],
    ["npm test -- --grep 'a b'", ["npm", "test", "--", "--grep", "a b"]],
    [`x "a \\"b\\" c" 'd "e"'`, ["x", 'a "b" c', 'd "e"']],
    [`x a\\ b --c='d e'f ''`, ["x", "a b", "--c=d ef", ""]],
    [`x '$(id) \`id\` | ; &'`, ["x", "$(id) `id` | ; &"]],
    [`x "5\\$" 100% a=b ./... src/*.ts {a,b} ~`, ["x", "5$", "100%", "a=b", "./...", "src/*.ts", "{a,b}", "~"]],
    [`x "C:\\temp\\\\new"`, ["x", "C:\\temp\\new"]],
    [`x price$ é`, ["x", "price$", "é"]],
  ])("%j is split into %j", ([line, argv]) => {
    expect(splitArgv(line)).toEqual(argv);
  });

  test.for([
    ...["npm test && npm run lint", "npm test | tee log", "a; b", "a > log", "a < in", "echo $HOME", `echo "\${HOME}"`],
    ...["echo $(id)", "echo `id`", 'echo "`id`"', "NODE_ENV=test npm test", "(a)", "a & b"],
  ])("%j needs a shell, and the refusal says how to write that", (line) => {
    expect(() => splitArgv(line)).toThrow(/needs a shell: write it as bash -c '…'/);
  });

  test.for(["", "   ", "a 'b", 'a "b', "a \\", "'' b"])("%j is refused", (line) => {
    expect(() => splitArgv(line)).toThrow(/left open|empty/);
  });
});

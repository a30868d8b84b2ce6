import { expect, test } from "vitest";
import { folderCycles, fullFolders } from "./check-folders.ts";

const from = (path: string, ...names: string[]) => ({
  path,
  text: names.map((name) => `import { x } from "${name}";`).join("\n"),
});

test.for([
  {
    name: "two folders that need each other",
    files: [from("libs/a/src/one/x.ts", "../two/y.ts"), from("libs/a/src/two/y.ts", "../one/x.ts")],
    found: ["these import each other in a circle: libs/a/src/one, libs/a/src/two"],
  },
  {
    name: "three folders in a ring, of other files each",
    files: [
      from("libs/a/src/one/x.ts", "../two/y.ts"),
      from("libs/a/src/two/y.ts"),
      from("libs/a/src/two/z.ts", "../three/z.ts"),
      from("libs/a/src/three/z.ts", "../one/w.ts"),
      from("libs/a/src/one/w.ts"),
    ],
    found: ["these import each other in a circle: libs/a/src/one, libs/a/src/three, libs/a/src/two"],
  },
  {
    name: "one direction",
    files: [from("libs/a/src/one/x.ts", "../two/y.ts"), from("libs/a/src/two/y.ts", "../three.ts")],
    found: [],
  },
  {
    name: "a front door into its folders, and they to a file beside it",
    files: [
      from("apps/a/src/main.ts", "./one/x.ts"),
      from("apps/a/src/one/x.ts", "../style.ts"),
      from("apps/a/src/style.ts"),
    ],
    found: [],
  },
  {
    name: "a folder that goes back through a front door",
    files: [from("apps/a/src/main.ts", "./one/x.ts"), from("apps/a/src/one/x.ts", "../main.ts")],
    found: ["these import each other in a circle: apps/a/src/main.ts, apps/a/src/one"],
  },
  {
    name: "a test, which may import anything",
    files: [from("libs/a/src/one/x.ts", "../two/y.ts"), from("libs/a/src/two/y.test.ts", "../one/x.ts")],
    found: [],
  },
])("$name", ({ files, found }) => {
  expect(folderCycles(files)).toEqual(found);
});

test("twenty files fit into a folder, one more does not", () => {
  const files = Array.from({ length: 20 }, (_, at) => from(`libs/a/src/one/${at}.ts`));
  expect(fullFolders([...files, from("libs/a/src/one/x.test.ts")])).toEqual([]);
  expect(fullFolders([...files, from("libs/a/src/one/x.ts")])).toEqual([
    "libs/a/src/one has 21 source files, 20 at most: give it folders",
  ]);
});

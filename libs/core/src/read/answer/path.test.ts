import { expect, test } from "vitest";
import { whereabouts } from "./path.ts";

const where = {
  roots: ["/tmp/rooms/4f/shop", "/home/me/work/shop/", "C:\\work\\shop"],
  files: [
    "src/cart.ts",
    "lib/src/price.ts",
    "packages/a/src/index.ts",
    "packages/b/src/index.ts",
    "main.ts",

    "src/price.ts",
  ],
};

test.for([
  // Below a folder that is known to be the repository, whatever its own folders are called.
  ["/tmp/rooms/4f/shop/src/cart.ts", "src/cart.ts"],
  ["/home/me/work/shop/lib/src/price.ts", "lib/src/price.ts"],
  ["/home/me/work/shop/docs/unchanged.md", "docs/unchanged.md"],
  ["file:///home/me/work/shop/main.ts", "main.ts"],
  ["C:\\work\\shop\\src\\cart.ts", "src/cart.ts"],
  // Elsewhere: the one changed file that it ends with.
  ["/workspace/src/cart.ts", "src/cart.ts"],
  ["~/shop/src/cart.ts", "src/cart.ts"],
  ["/workspace/packages/b/src/index.ts", "packages/b/src/index.ts"],
  ["/builds/shop/main.ts", "main.ts"],
  // From the top already.
  ["./src/cart.ts", "src/cart.ts"],
  ["src/other.ts", "src/other.ts"],
] as const)("%s is %s", ([written, file]) => {
  const notes: string[] = [];
  expect(whereabouts(where, (text) => notes.push(text))(written)).toBe(file);
  expect(notes).toEqual([]);
});

test.for([
  ["a file that is not changed, below a folder called src", "/workspace/lib/src/other.ts"],
  ["a name that two changed files end with", "/workspace/lib/src/price.ts"],
  ["a file at the top, in a folder that is not the repository", "/workspace/tools/main.ts"],
  ["a path that climbs", "/home/me/work/shop/../src/cart.ts"],
  ["the repository itself", "/home/me/work/shop"],
] as const)("%s stays as it was written, with a note", ([, written]) => {
  const notes: string[] = [];
  expect(whereabouts(where, (text) => notes.push(text))(written)).toBe(written);
  expect(notes).toEqual([`The absolute path "${written}" could not be made relative to the repository.`]);
});

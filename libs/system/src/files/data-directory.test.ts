import { expect, test } from "vitest";
import { dataDirectory } from "./data-directory.ts";

test.for([
  { env: {}, is: "/home/me/.anneal" },
  { env: { DATA_DIR: "/d" }, is: "/d" },
  { env: { DATA_DIR: "/d", ANNEAL_DATA_DIR: "/a" }, is: "/a" },
  { env: { DATA_DIR: "" }, is: "/home/me/.anneal" },
])("with $env the data folder is $is", ({ env, is }) => {
  expect(dataDirectory(env, "/home/me")).toBe(is);
});

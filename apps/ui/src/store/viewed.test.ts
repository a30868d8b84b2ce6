import { expect, test } from "vitest";
import { isViewed, type Viewed, withMark } from "./viewed.ts";

const seen = withMark({}, "p/f1~1", { path: "a.ts", blob: "one" }, true);

test.for([
  { what: "the content that was seen", loop: "p/f1~1", path: "a.ts", blob: "one", viewed: true },
  { what: "a later content of the file", loop: "p/f1~1", path: "a.ts", blob: "two", viewed: false },
  { what: "the file once it is gone", loop: "p/f1~1", path: "a.ts", blob: null, viewed: false },
  { what: "another file with the same content", loop: "p/f1~1", path: "b.ts", blob: "one", viewed: false },
  { what: "the same file of another loop", loop: "p/f1~2", path: "a.ts", blob: "one", viewed: false },
])("a mark for $what holds: $viewed", ({ loop, path, blob, viewed }) => {
  expect(isViewed(seen, loop, { path, blob })).toBe(viewed);
});

test("a mark that is taken away is gone, and a file that is gone can have one", () => {
  expect(withMark(seen, "p/f1~1", { path: "a.ts", blob: "one" }, false)).toEqual({ "p/f1~1": {} });
  const gone = { path: "a.ts", blob: null };
  expect(isViewed(withMark(seen, "p/f1~1", gone, true), "p/f1~1", gone)).toBe(true);
});

test("marks are kept for the last hundred loops that were looked at", () => {
  let all: Viewed = {};
  for (let at = 0; at < 100; at += 1) all = withMark(all, `loop ${at}`, { path: "a.ts", blob: "x" }, true);
  all = withMark(all, "loop 0", { path: "b.ts", blob: "x" }, true);
  all = withMark(all, "loop 100", { path: "a.ts", blob: "x" }, true);
  expect(Object.keys(all)).toHaveLength(100);
  expect([all["loop 0"], all["loop 1"]]).toEqual([{ "a.ts": "x", "b.ts": "x" }, undefined]);
});

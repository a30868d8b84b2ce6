import { expect, test } from "vitest";
import { blamedOn } from "./project-checks.ts";

test("a finding says whether a test is red anew, or one more of its name", () => {
  const checked = {
    result: "failed",
    blamed: ["new", "same"],
    preexisting: ["old", "same"],
    flaky: [],
    output: "",
  } as const;
  const titles = blamedOn("npm test", {
    ...checked,
    blamed: [...checked.blamed],
    preexisting: [...checked.preexisting],
    flaky: [],
  });
  expect(titles.map(({ title }) => title)).toEqual([
    'The test "new" fails and did not before',
    'More tests named "same" fail than before the change',
  ]);
});

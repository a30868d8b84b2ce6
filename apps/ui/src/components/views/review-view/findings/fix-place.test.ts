import { expect, test } from "vitest";
import { fixPlace } from "./fix-place.ts";

const commit = "0123456789abcdef";

test.for([
  { what: "that nothing fixed has no place", fix: null, place: null },
  {
    what: "is seen from its round to the one after, at its hunk",
    fix: { commit, round: 2, hunk: { file: "a.ts", start: 7, end: 9 } },
    place: { from: "2", to: "3", file: "a.ts", line: 7 },
  },
  {
    what: "that was fixed elsewhere is seen in the whole change between the two",
    fix: { commit, round: 1, hunk: null },
    place: { from: "1", to: "2", file: undefined, line: undefined },
  },
])("a finding $what", ({ fix, place }) => {
  expect(fixPlace({ fix })).toEqual(place);
});

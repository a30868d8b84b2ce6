import { expect, test } from "vitest";
import { ADDRESSES, boardSearch, reviewSearch } from "./search.ts";

test.for([
  { of: boardSearch, address: "?text=404&kind=story", says: { text: "404", kind: "story" } },
  { of: boardSearch, address: "?needsMe=true", says: { needsMe: true } },
  { of: boardSearch, address: "?needsMe=false&other=1", says: {} },
  {
    of: reviewSearch,
    address: "?from=1&to=head&file=a.ts&line=7",
    says: { from: "1", to: "head", file: "a.ts", line: 7 },
  },
  { of: reviewSearch, address: "?line=x", says: {} },
])("$address says $says", ({ of, address, says }) => {
  expect(of(ADDRESSES.parseSearch(address))).toEqual(says);
});

test("words that are empty are neither read nor written", () => {
  expect(ADDRESSES.parseSearch("?kind=&text=x&tab=")).toEqual({ text: "x" });
  expect(ADDRESSES.stringifySearch({ kind: "", text: "x" })).toBe("?text=x");
});

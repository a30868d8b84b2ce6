import { expect, test } from "vitest";
import { rangeOf } from "./transcripts-range.ts";

test.for([
  { header: undefined, means: null },
  { header: "bytes=0-9", means: { offset: 0, length: 10 } },
  { header: "bytes=90-", means: { offset: 90, length: 10 } },
  { header: "bytes=90-1000", means: { offset: 90, length: 10 } },
  { header: "bytes=-5", means: { offset: 95, length: 5 } },
  { header: "bytes=-500", means: { offset: 0, length: 100 } },
  { header: "Bytes = 1 - 2", means: { offset: 1, length: 2 } },
  { header: "bytes=100-", means: "outside" },
  { header: "bytes=100-200", means: "outside" },
  { header: "bytes=-0", means: "outside" },
  { header: "bytes=9-1", means: null },
  { header: "bytes=0-1,5-6", means: null },
  { header: "bytes=-", means: null },
  { header: "lines=0-1", means: null },
  { header: "bytes=0x1-9", means: null },
])("$header of 100 bytes", ({ header, means }) => {
  expect(rangeOf(header, 100)).toEqual(means);
});

test("nothing of nothing can be asked for", () => {
  expect(rangeOf("bytes=0-", 0)).toBe("outside");
  expect(rangeOf("bytes=-1", 0)).toBe("outside");
});

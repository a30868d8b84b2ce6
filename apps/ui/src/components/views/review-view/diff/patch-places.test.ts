import { expect, test } from "vitest";
import { firstLineOf, placesOf } from "./patch-places.ts";

const PATCH = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +10,4 @@
 first
-Second gone
+second here
+third
 last
diff --git a/b.ts b/b.ts
--- a/b.ts
+++ b/b.ts
@@ -0,0 +1,1 @@
+++ second in b
diff --git a/c.ts b/c.ts
--- a/c.ts
+++ b/c.ts
@@ -4,2 +4,3 @@
 four
 five
+six
`;

test.for([
  { text: "first", places: [{ file: "src/a.ts", line: 10 }] },
  {
    text: "SECOND",
    places: [
      { file: "src/a.ts", line: 10 },
      { file: "src/a.ts", line: 11 },
      { file: "b.ts", line: 1 },
    ],
  },
  { text: "last", places: [{ file: "src/a.ts", line: 13 }] },
  { text: "index", places: [] },
])("$text is found where it stands", ({ text, places }) => {
  expect(placesOf(PATCH, text)).toEqual(places);
});

test.for([
  { file: "src/a.ts", line: 10 },
  { file: "b.ts", line: 1 },
  { file: "c.ts", line: 6 },
  { file: "elsewhere.ts", line: 1 },
])("the first line that changes in $file is $line", ({ file, line }) => {
  expect(firstLineOf(PATCH, file)).toBe(line);
});

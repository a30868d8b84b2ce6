import { expect, test } from "vitest";
import { placesOf } from "./patch-places.ts";

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

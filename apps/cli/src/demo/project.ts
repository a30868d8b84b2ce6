import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

type Files = Record<string, string>;

/** What stands on main: a tiny shop, whole and tested. */
export const MAIN: Files = {
  "package.json": `{
  "name": "tiny-shop",
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  "src/cart.js": `export function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0);
}
`,
  "test/cart.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.js";

test("the total of an empty cart is zero", () => {
  assert.equal(total([]), 0);
});
`,
};

/** What an agent made of "add discounts": it works, and it left things behind that nobody should merge. */
export const FEATURE: Files = {
  "src/cart.js": `export function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0);
}

// TODO round to whole cents
export function discounted(items, percent) {
  console.log("discounted", items, percent);
  return total(items) * (1 - percent / 100);
}
`,
  "config/discounts.json": `{
  "summer": 10,
  "friends": 25,
}
`,
  "test/cart.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { discounted, total } from "../src/cart.js";

test("the total of an empty cart is zero", () => {
  assert.equal(total([]), 0);
});

test.only("a discount of ten percent", () => {
  assert.equal(discounted([{ price: 200 }], 10), 180);
});
`,
};

export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "anneal-demo-"));
}

export function lay(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

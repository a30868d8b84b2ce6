import { createHash } from "node:crypto";
import { type Files, makeRepo, type TestRepo } from "../../../../libs/git/src/testing/make-repo.ts";

export { type Files, makeRepo, openTestRepo, type TestRepo } from "../../../../libs/git/src/testing/make-repo.ts";

/** A small project on `main` that holds nothing to complain about. */
export const PROJECT: Files = {
  "src/cart.ts": "export function total(prices: number[]): number {\n  return prices.reduce((a, b) => a + b, 0);\n}\n",
  "test/cart.test.ts":
    'import { total } from "../src/cart.ts";\n\ntest("empty", () => {\n  expect(total([])).toBe(0);\n});\n',
  "config/limits.json": '{\n  "perOrder": 20,\n  "perDay": 100\n}\n',
};

/** The project, and a branch `topic` with the given files in one commit on top. */
export function branchWith(files: Files, base: Files = PROJECT): TestRepo {
  const repo = makeRepo(base);
  repo.git("switch", "--quiet", "--create", "topic");
  repo.commit(files, "the change");
  return repo;
}

/** A branch on which nothing is wrong. */
export function cleanBranch(): TestRepo {
  return branchWith({ "src/tax.ts": "export const taxRate = 0.19;\n" });
}

/** Letters and digits that look random and are the same in every run, so that no credential stands in this repository. */
function noise(seed: string, length: number, alphabet: string): string {
  const bytes = createHash("sha512").update(seed).digest();
  return Array.from({ length }, (_, at) => alphabet[(bytes[at] ?? 0) % alphabet.length]).join("");
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MIXED = `${UPPER}${UPPER.toLowerCase()}0123456789`;

/** Credentials as they are issued, put together only here and now. */
export const credentials = {
  "GitHub token": ["ghp", noise("github", 36, MIXED)].join("_"),
  "AWS key id": ["AK", "IA", noise("aws id", 16, `${UPPER}234567`)].join(""),
  "AWS secret key": noise("aws secret", 40, `${MIXED}+/`),
  "database password": noise("database", 24, MIXED),
} as const;

/** A branch with exactly four things wrong, and what a reviewer has to say about each. */
export function flawedBranch(): TestRepo {
  return branchWith({
    "config/limits.json": '{\n  "perOrder": 20,\n  "perDay": 100,\n}\n',
    "src/client.ts": `export const host = "api.shop.dev";\n\nexport const token = "${credentials["GitHub token"]}";\n`,
    "src/tax.ts": [
      "export function tax(net: number): number {",
      "<<<<<<< HEAD",
      "  return net * 0.19;",
      "=======",
      "  return net * 0.16;",
      ">>>>>>> tax-cut",
      "}",
      "",
    ].join("\n"),
    "test/cart.test.ts":
      'import { total } from "../src/cart.ts";\n\ntest("empty", () => {\n  expect(total([])).toBe(0);\n});\n\ntest.only("sum", () => {\n  expect(total([1, 2])).toBe(3);\n});\n',
  });
}

export const FLAWS = [
  { rule: "broken-data-file", severity: "high", file: "config/limits.json", line: 3, endLine: 3 },
  { rule: "secret", severity: "critical", file: "src/client.ts", line: 3, endLine: 3 },
  { rule: "conflict-marker", severity: "critical", file: "src/tax.ts", line: 2, endLine: 6 },
  { rule: "focused-test", severity: "high", file: "test/cart.test.ts", line: 7, endLine: 7 },
];

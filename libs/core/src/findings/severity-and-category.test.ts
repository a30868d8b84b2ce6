import { Category, SeedName, Severity } from "@anneal/types";
import { CATEGORIES, SEVERITIES } from "@anneal/types/scales";
import { describe, expect, test } from "vitest";
import { finding } from "../testing/build.ts";
import {
  atLeast,
  CATEGORY_WORDS,
  categoryWord,
  readCategory,
  readSeverity,
  SEVERITY_WORDS,
  severityWord,
} from "./severity-and-category.ts";

test("the scales are those of the types", () => {
  expect(SEVERITIES).toEqual(Severity.options);
  expect(CATEGORIES).toEqual(Category.options);
});

describe("severity map", () => {
  test.for([
    { seed: "gate", words: "error error warning info info" },
    { seed: "pull-request", words: "critical high medium low suggestion" },
    { seed: "scored", words: "blocking error warning info info" },
    { seed: "adversarial", words: "Critical Important Important Minor Minor" },
    { seed: "advisory", words: "error error warning suggestion suggestion" },
  ] as const)("$seed writes critical·high·medium·low·info as $words", ({ seed, words }) => {
    expect(SEVERITIES.map((severity) => SEVERITY_WORDS[seed].write[severity]).join(" ")).toBe(words);
  });

  test.for([
    { seed: "gate", word: "error", severity: "high" },
    { seed: "adversarial", word: "Important", severity: "high" },
    { seed: "pull-request", word: "suggestion", severity: "info" },
    { seed: "advisory", word: "suggestion", severity: "info" },
    { seed: "scored", word: "blocking", severity: "critical" },
  ] as const)("$seed reads $word as $severity", ({ seed, word, severity }) => {
    expect(readSeverity(seed, word)).toBe(severity);
  });
});

describe("both maps", () => {
  test.for(SeedName.options)("%s: every word that it reads is written back for the finding that carries it", (seed) => {
    for (const word of Object.keys(SEVERITY_WORDS[seed].read)) {
      const severity = readSeverity(seed, word) ?? "info";
      expect(severityWord(seed, finding({ severity, native: { seed, severity: word } }))).toBe(word);
    }
    for (const word of Object.keys(CATEGORY_WORDS[seed].read)) {
      const category = readCategory(seed, word) ?? "logic";
      expect(categoryWord(seed, finding({ category, native: { seed, category: word } }))).toBe(word);
    }
  });

  test.for(SeedName.options)("%s: writing and reading again never makes a finding block less", (seed) => {
    for (const severity of SEVERITIES) {
      const again = readSeverity(seed, SEVERITY_WORDS[seed].write[severity]) ?? "critical";
      const blockers = SEVERITIES.filter((threshold) => atLeast(severity, threshold));
      // critical and high share a word in three seeds: high still blocks wherever `error` blocks.
      const kept = blockers.filter(
        (threshold) => atLeast(again, threshold) || threshold === "critical" || severity === "low",
      );
      expect(kept).toEqual(blockers);
    }
  });

  test.for(["toString", "__proto__", "constructor", "ERROR", ""])("the unknown word %j is not guessed", (word) => {
    for (const seed of SeedName.options)
      expect([readSeverity(seed, word), readCategory(seed, word)]).toEqual([undefined, undefined]);
  });
});

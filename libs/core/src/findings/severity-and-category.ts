import type { Category, Finding, SeedName, Severity } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";

export function atLeast(severity: Severity, threshold: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);
}

interface Words<Canonical extends string> {
  read: Record<string, Canonical>;
  write: Record<Canonical, string>;
}

/** Each seed's severity words. Several canonical values may share a word; the native word is kept on the finding. */
export const SEVERITY_WORDS: Record<SeedName, Words<Severity>> = {
  gate: {
    read: { error: "high", warning: "medium", info: "info" },
    write: { critical: "error", high: "error", medium: "warning", low: "info", info: "info" },
  },
  "pull-request": {
    read: { critical: "critical", high: "high", medium: "medium", low: "low", suggestion: "info" },
    write: { critical: "critical", high: "high", medium: "medium", low: "low", info: "suggestion" },
  },
  scored: {
    read: { blocking: "critical", error: "high", warning: "medium", info: "info" },
    write: { critical: "blocking", high: "error", medium: "warning", low: "info", info: "info" },
  },
  adversarial: {
    read: { Critical: "critical", Important: "high", Minor: "low" },
    write: { critical: "Critical", high: "Important", medium: "Important", low: "Minor", info: "Minor" },
  },
  advisory: {
    read: { error: "high", warning: "medium", suggestion: "info" },
    write: { critical: "error", high: "error", medium: "warning", low: "suggestion", info: "suggestion" },
  },
};

/** Each seed's category words. 003 writes free text and 004 has no categories: their reading is a best effort. */
export const CATEGORY_WORDS: Record<SeedName, Words<Category>> = {
  gate: {
    read: {
      compliance: "compliance",
      code: "logic",
      test: "testing",
      architecture: "architecture",
      performance: "performance",
    },
    write: {
      compliance: "compliance",
      logic: "code",
      security: "code",
      architecture: "architecture",
      performance: "performance",
      testing: "test",
      style: "code",
      documentation: "code",
    },
  },
  "pull-request": {
    read: {
      security: "security",
      architecture: "architecture",
      logic: "logic",
      style: "style",
      performance: "performance",
      testing: "testing",
      documentation: "documentation",
    },
    write: {
      compliance: "logic",
      logic: "logic",
      security: "security",
      architecture: "architecture",
      performance: "performance",
      testing: "testing",
      style: "style",
      documentation: "documentation",
    },
  },
  scored: {
    read: {
      requirement_adherence: "compliance",
      coordination_compliance: "architecture",
      code_quality: "logic",
      pattern_consistency: "style",
      test_quality: "testing",
      security_performance: "security",
    },
    write: {
      compliance: "requirement_adherence",
      logic: "code_quality",
      security: "security_performance",
      architecture: "coordination_compliance",
      performance: "security_performance",
      testing: "test_quality",
      style: "pattern_consistency",
      documentation: "code_quality",
    },
  },
  adversarial: {
    read: {
      Compliance: "compliance",
      Logic: "logic",
      Security: "security",
      Architecture: "architecture",
      Performance: "performance",
      Testing: "testing",
      Style: "style",
      Documentation: "documentation",
    },
    write: {
      compliance: "Compliance",
      logic: "Logic",
      security: "Security",
      architecture: "Architecture",
      performance: "Performance",
      testing: "Testing",
      style: "Style",
      documentation: "Documentation",
    },
  },
  advisory: {
    read: {},
    write: {
      compliance: "compliance",
      logic: "logic",
      security: "security",
      architecture: "architecture",
      performance: "performance",
      testing: "testing",
      style: "style",
      documentation: "documentation",
    },
  },
};

/** A seed's word for a finding's severity: its own native word where it came from that seed. */
export function severityWord(seed: SeedName, finding: Finding): string {
  const native = finding.native?.seed === seed ? finding.native.severity : undefined;
  if (native !== undefined && SEVERITY_WORDS[seed].read[native] === finding.severity) return native;
  return SEVERITY_WORDS[seed].write[finding.severity];
}

/** A seed's word for a finding's category: its own native word where it came from that seed. */
export function categoryWord(seed: SeedName, finding: Finding): string {
  const native = finding.native?.seed === seed ? finding.native.category : undefined;
  return native ?? CATEGORY_WORDS[seed].write[finding.category];
}

/** The canonical severity behind a seed's word, or undefined: an unknown word is never guessed. */
export function readSeverity(seed: SeedName, word: string): Severity | undefined {
  return lookUp(SEVERITY_WORDS[seed].read, word);
}

export function readCategory(seed: SeedName, word: string): Category | undefined {
  return lookUp(CATEGORY_WORDS[seed].read, word);
}

function lookUp<T>(table: Record<string, T>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

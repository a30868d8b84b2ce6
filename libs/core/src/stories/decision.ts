/** What follows a review under seed 003: commit and pull request, the fixer, or a person. */
export type StoryDecision = "clean" | "fix" | "escalate";

/** The seed's matrix. The loop decides by the same rule; this states it in the seed's terms, and a test compares both. */
export function decide({ mustFix, round, limit }: { mustFix: number; round: number; limit: number }): StoryDecision {
  if (mustFix === 0) return "clean";
  return round < limit ? "fix" : "escalate";
}

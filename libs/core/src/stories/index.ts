export { storyBranch } from "./branch.ts";
export { storyCommitMessage, storyFinalMessage } from "./commit-messages.ts";
export { type Counts, countFindings } from "./counts.ts";
export { type Decision, decide, roundLimit } from "./decision.ts";
export { building, dryRun, dryRunFrom } from "./dry-run.ts";
export { type Choice, choose, type Escalation, escalation } from "./escalation.ts";
export { type FindingsFile, findingsFiles, isFindingsPath } from "./findings-files.ts";
export { isStoryDone, STORY_STATUSES, type StoryStatus, storyStatus, storyStatusNamed } from "./status.ts";

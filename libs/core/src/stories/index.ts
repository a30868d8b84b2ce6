export { storyBranch } from "./branch.ts";
export { storyCommitMessage, storyFinalMessage } from "./commit-messages.ts";
export { type Counts, countFindings } from "./counts.ts";
export { decide, type StoryDecision } from "./decision.ts";
export { choose, type Escalation, type EscalationChoice, escalation } from "./escalation.ts";
export { type FindingsFile, findingsFiles, isFindingsPath } from "./findings-files.ts";
export { isStoryDone, STORY_STATUSES, type StoryStatus, storyStatus, storyStatusNamed } from "./status.ts";

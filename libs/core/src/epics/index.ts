export { type Assembled, assembleEpic, type EpicSource, type LineOf, type TicketFile } from "./assemble.ts";
export { joinMessage, ticketCommitMessage, ticketMergeMessage } from "./commit-messages.ts";
export {
  type CompletionReport,
  type CriterionAnswer,
  hasCompletionReport,
  latestCompletionReport,
  readCompletionReport,
} from "./completion.ts";
export {
  type EpicItem,
  type EpicProblem,
  epicBranch,
  problemText,
  type TicketItem,
  ticketBranch,
  ticketText,
  whyBadName,
} from "./items.ts";
export { outdatedIn } from "./outdated.ts";
export { baseOf, buildsOn, mergeOrder, planOf, type TicketBase, type TicketCandidate, toMerge } from "./plan.ts";
export {
  allReviewReports,
  type ReviewContextArgs,
  reviewContext,
  reviewContextText,
  reviewReportPath,
  reviewReports,
  reviewReportText,
} from "./reports.ts";
export {
  type EpicProgress,
  type EpicStatus,
  epicState,
  epicStatus,
  mergeEpicState,
  type TicketProgress,
  ticketProgress,
  unreviewedIn,
} from "./state.ts";
export { countedRevisions, follow, MOVES, maxRevisions, phaseOf, type TicketLoop, ticketLoop } from "./ticket-loop.ts";
export { readTicketMarkdown, type TicketMarkdown } from "./ticket-markdown.ts";
export {
  type TicketGit,
  type TicketValidation,
  type TicketWork,
  validateTicket,
} from "./validation.ts";

export { type EpicCounts, type FoundEpic, findEpics } from "./find-epics.ts";
export { readEpic } from "./read-epic.ts";
export { type EpicStore, epicStore } from "./state-store.ts";
export { type TicketCommits, ticketGit } from "./ticket-git.ts";

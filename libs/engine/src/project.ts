export { loadSettings } from "@anneal/adapters/files";
export {
  BlobError,
  type GitFolder,
  type LoggedEvent,
  openBlobs,
  type RecordedLine,
  transcriptLines,
} from "./embedded/index.ts";
export { type AutoResult, isApproval, isWell, runItems } from "./project/auto-mode.ts";
export { isMarkedByHand } from "./project/by-hand.ts";
export { anchored, PARTS } from "./project/cast.ts";
export { comingLoop, sayToComing } from "./project/coming.ts";
export { Follower, ticks } from "./project/follow.ts";
export { type Collected, collectGarbage } from "./project/gc.ts";
export { type Initialised, initProject } from "./project/init.ts";
export { itemOf, keyOf, keyOfRow } from "./project/item-key.ts";
export { type Refused, refusedOf } from "./project/item-workspace.ts";
export { type Kept, keptOf } from "./project/kept.ts";
export type { Wish } from "./project/kind.ts";
export { type CallerLocation, callerLocation, differenceAt, fromTop, refuseOthers } from "./project/linked-tree.ts";
export { currentLoop, historyOf, type LoopHistory, loopsByItem, loopsOf } from "./project/loop-history.ts";
export { type MoveMeaning, meaningOfMove } from "./project/moves.ts";
export type { LoopNotification } from "./project/notification.ts";
export { parkWithoutFile } from "./project/outside.ts";
export { projectAt, refuseUnwritable } from "./project/place.ts";
export { policyOf } from "./project/policy-of.ts";
export {
  isOwned,
  itemNamed,
  type OpenTalk,
  openProject,
  openReader,
  openToTalk,
  type ProjectReader,
  readerIfReady,
} from "./project/reader.ts";
export type { Progress } from "./project/review-progress.ts";
export { run } from "./project/run.ts";
export { Runtime } from "./project/runtime.ts";
export type { RuntimeOptions } from "./project/runtime-options.ts";
export { damageTexts, stopsLoops } from "./project/settings-damage.ts";
export { type LoopStatus, loopStatus, movedAway, type StatusLine, statusOf } from "./project/status.ts";
export { discreetStore, type ProjectStore } from "./project/store-log.ts";
export { progressOf, rulable } from "./project/summary.ts";
export { type PersonsRuling, type PersonsSignal, type SignalAnswer, say } from "./project/talk.ts";
export { testCommandProblem } from "./project/test-command.ts";
export { workspaceOf } from "./project/workspaces.ts";
export type { AgentActivity } from "./recorder.ts";

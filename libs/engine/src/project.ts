export { loadSettings } from "@anneal/adapters/files";
export { Follower, ticks } from "./history/follow.ts";
export { itemOf, keyOf, keyOfRow } from "./history/item-key.ts";
export { currentLoop, historyOf, type LoopHistory, loopsByItem, loopsOf } from "./history/loop-history.ts";
export { type MoveMeaning, meaningOfMove } from "./history/moves.ts";
export type { LoopNotification } from "./history/notification.ts";
export { isOwned, openProject, openReader, type ProjectReader, readerIfReady } from "./history/reader.ts";
export type { RunOverrides } from "./history/run-overrides.ts";
export { maskedStore, type ProjectStore } from "./history/store-log.ts";
export { progressOf, rulable } from "./history/summary.ts";
export { isMarkedByHand } from "./items/by-hand.ts";
export { anchored, PARTS } from "./items/cast.ts";
export { type Kept, keptOf } from "./items/kept.ts";
export { policyOf } from "./items/policy-of.ts";
export {
  BlobError,
  type GitFolder,
  type LoggedEvent,
  openBlobs,
  type RecordedLine,
  transcriptLines,
} from "./log/index.ts";
export type { AgentActivity } from "./loop/recorder.ts";
export { type AutoResult, isApproval, isWell, runItems } from "./project/auto-mode.ts";
export { type Collected, collectGarbage } from "./project/gc.ts";
export { type Initialised, initProject, setProposed } from "./project/init.ts";
export type { Progress } from "./project/review-progress.ts";
export { run } from "./project/run.ts";
export { Runtime } from "./project/runtime.ts";
export type { RuntimeOptions } from "./project/runtime-options.ts";
export { type LoopStatus, loopStatus, movedAway, type StatusLine, statusOf } from "./project/status.ts";
export { type CallerLocation, callerLocation, differenceAt, fromTop, refuseOthers } from "./repository/linked-tree.ts";
export { projectAt, refuseUnwritable } from "./repository/project-at.ts";
export { damageTexts, stopsLoops } from "./repository/settings-damage.ts";
export { testCommandProblem } from "./repository/test-command.ts";
export { itemNamed, type OpenItem, openNamedItem } from "./signals/named-item.ts";
export { parkWithoutFile } from "./signals/outside.ts";
export { pendingLoop, signalPendingLoop } from "./signals/pending-loop.ts";
export { rightOf, rightOfSignal } from "./signals/right-of.ts";
export { type PersonsRuling, type PersonsSignal, type SignalAnswer, sendSignal } from "./signals/send-signal.ts";
export { type Refused, refusedOf } from "./workspaces/item-workspace.ts";
export { workspaceOf } from "./workspaces/workspaces.ts";

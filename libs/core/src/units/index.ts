export { adviceEvents, adviceLines } from "./advice-events.ts";
export { policyFromChoo, reviewerFromChoo, type UnitReviewer } from "./choo-policy.ts";
export { unitCommitMessage, unitMergeMessage } from "./commit-messages.ts";
export {
  TASK_STATUSES,
  type TaskStatus,
  taskStatus,
  UNIT_STATUSES,
  type UnitStatus,
  unitStatus,
} from "./status.ts";
export { taskOrder } from "./task-order.ts";

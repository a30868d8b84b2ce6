export { type Accounting, accounted, outlineOf } from "./accounted.ts";
export { isLockFile } from "./lock-file.ts";
export { coverageOf, notShown } from "./shown.ts";
export { unseenIn } from "./unseen.ts";

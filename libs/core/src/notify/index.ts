export { digestOf } from "./digest.ts";
export { noticeOf } from "./notice.ts";
export { quietUntil } from "./quiet-hours.ts";
export { READY_COMMENT, READY_LABEL } from "./ready.ts";
export { htmlOf, textOf } from "./text.ts";

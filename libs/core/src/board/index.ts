export { badgeOf } from "./badge.ts";
export { columnOf } from "./column.ts";
export { type ItemStatus, needsPerson } from "./needs-person.ts";

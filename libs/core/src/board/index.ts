export { badgeOf } from "./badge.ts";
export { columnOf } from "./column.ts";
export { needsPerson, type Standing } from "./needs-person.ts";

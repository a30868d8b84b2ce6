export { counted, type Days, type Happening, SAFE_REPAIRS } from "./counting.ts";
export { type DatedDay, type DateRange, DEFAULT_FORMULA, daysIn, summaryOfDays } from "./summary.ts";

export { counted, type Days, type Happening } from "./counting.ts";
export { type DatedDay, type DateRange, DEFAULT_FORMULA, daysIn, summaryOfDays } from "./summary.ts";

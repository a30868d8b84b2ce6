export { problemText } from "@anneal/adapters/units";
export { refuseWithoutNeeded } from "./project/units/built-on.ts";
export { isToBegin, refuseOwnTarget } from "./project/units/files.ts";
export { type PlannedUnit, planUnits, refuseOtherUnits, type UnitsPlan, unitsNamed } from "./project/units/plan.ts";

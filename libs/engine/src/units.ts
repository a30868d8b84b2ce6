export { problemText } from "@anneal/adapters/units";
export { refuseOwnTarget } from "./project/units/files.ts";
export { type PlannedUnit, planUnits, refuseOtherUnits, type UnitsPlan, unitsNamed } from "./project/units/plan.ts";
export { refuseUnits } from "./project/units/refused.ts";

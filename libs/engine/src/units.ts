export { problemText } from "@anneal/adapters/units";
export { refuseOwnTarget } from "./kinds/unit/files.ts";
export { type PlannedUnit, planUnits, refuseOtherUnits, type UnitsPlan, unitsNamed } from "./kinds/unit/plan.ts";
export { refuseUnits } from "./kinds/unit/refused.ts";

export { problemText } from "@anneal/adapters/units";
export { type PlannedUnit, planUnits, refuseOtherUnits, type UnitsPlan, unitsNamed } from "./project/units/plan.ts";

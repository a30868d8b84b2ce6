export { problemText } from "@anneal/adapters/units";
export { type PlannedUnit, planUnits, type UnitsPlan, unitsNamed } from "./project/units-plan.ts";

export { endLeftovers } from "./leftovers.ts";
export { type Probe, probeSandbox } from "./probe.ts";

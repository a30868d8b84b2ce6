export { endLeftovers } from "./leftovers.ts";
export { probeSandbox } from "./probe.ts";

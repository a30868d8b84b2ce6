export { endLeftovers } from "./leftovers.ts";
export { probeSandbox } from "./probe.ts";
export { removeAbandoned } from "./temporary.ts";

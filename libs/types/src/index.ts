export * from "./change.ts";
export * from "./finding.ts";
export * from "./loop.ts";
export * from "./policy.ts";
export * from "./report.ts";

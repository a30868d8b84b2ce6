export { analyticsFile } from "./analytics-file.ts";
export { type AnalyticsKeeper, analyticsKeeper } from "./keeper.ts";
export { analyticsOf, rebuildAnalytics } from "./report.ts";

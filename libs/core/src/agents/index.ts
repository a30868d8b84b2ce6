export { addSpent, believable, type Spent, totalUsage, withUsage } from "./believable.ts";
export { INSTALL } from "./install.ts";
export { bareModel, bestFit } from "./names.ts";
export { PRICES, PRICES_AS_OF, priced } from "./prices.ts";
export { agentOfModel, runsModel } from "./resolve.ts";

export { ForgeError, type ForgeErrorKind, isPassing, RateLimited, redact } from "./errors.ts";
export {
  createFakeForge,
  type FakeForge,
  type FakeWorld,
  type ForgeUser,
  isFakeForge,
  openFakeForge,
} from "./fake/index.ts";
export { type ForgeOptions, type ForgeSettings, forgeFor } from "./forge-for.ts";
export { listen, type PullRequestFeedback } from "./listen.ts";
export type * from "./port.ts";

export { ForgeError, type ForgeErrorKind, isPassing, RateLimited, redact } from "./contract/errors.ts";
export { listen, type PullRequestFeedback } from "./contract/listen.ts";
export type * from "./contract/port.ts";
export {
  createFakeForge,
  type FakeForge,
  type FakeWorld,
  type ForgeUser,
  isFakeForge,
  openFakeForge,
} from "./fake/index.ts";
export { type ForgeOptions, type ForgeSettings, forgeFor } from "./forge-for.ts";

export { ForgeError, type ForgeErrorKind, isPassing, RateLimited, redact } from "./errors.ts";
export {
  createFakeForge,
  type FakeForge,
  type FakeWorld,
  isFakeForge,
  openFakeForge,
  type Person,
} from "./fake/index.ts";
export { type ForgeOptions, type ForgeSettings, forgeFor } from "./forge-for.ts";
export { type Heard, listen } from "./listen.ts";
export type * from "./port.ts";

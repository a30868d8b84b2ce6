export { type AtomicOptions, sweepTemporaries, writeAtomic } from "./atomic.ts";
export * from "./errors.ts";
export { whileLocked } from "./file-lock.ts";
export {
  type JsonContent,
  type ReadResult,
  readJson,
  type Schema,
  type UpdateOptions,
  updateJson,
} from "./json-file.ts";
export * from "./settings.ts";

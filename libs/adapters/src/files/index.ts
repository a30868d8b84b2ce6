export { type AtomicOptions, sweepTemporaries, writeAtomic } from "@anneal/system/files/atomic";
export { dataDirectory } from "@anneal/system/files/data-directory";
export * from "@anneal/system/files/errors";
export { whileLocked } from "@anneal/system/files/file-lock";
export {
  type JsonContent,
  type ReadResult,
  readJson,
  type Schema,
  type UpdateOptions,
  updateJson,
} from "./json-file.ts";
export * from "./settings.ts";

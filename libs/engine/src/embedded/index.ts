export { BlobError, type Blobs, openBlobs, type Swept } from "./blobs.ts";
export { keepRuntimeFilesOut } from "./ignore-file.ts";
export { networkDisk } from "./network-disk.ts";
export { becomeOwner, type Owner, type OwnerNote, ownerNote } from "./owner.ts";
export {
  type AppendOptions,
  type Entry,
  type InboxRow,
  type LoggedEvent,
  type LoopRow,
  openStore,
  type Store,
  type StoreOptions,
} from "./store.ts";
export { StoreError, type StoreErrorKind } from "./store-error.ts";
export { NewerEventError } from "./upcast.ts";
export { type WakeOptions, wakeUps } from "./waker.ts";

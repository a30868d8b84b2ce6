export { BlobError, type BlobStore, openBlobs, type Swept } from "./blobs.ts";
export type { InboxRow } from "./inbox.ts";
export { type GitFolder, logFolderOf } from "./log-folder.ts";
export type { Notice } from "./outbox.ts";
export { becomeOwner, type Owner, type OwnerNote, ownerNote } from "./owner.ts";
export {
  type LoggedEvent,
  type LogLoopRow,
  openStore,
  type Store,
} from "./store.ts";
export { StoreError } from "./store-error.ts";
export {
  openTranscripts,
  type RecordedLine,
  type Transcripts,
  transcriptLines,
} from "./transcripts.ts";
export { wakeUps } from "./waker.ts";

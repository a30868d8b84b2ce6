export { endLeftovers } from "./leftovers.ts";
export { isGone, livesBeside, thisOwner } from "./owner.ts";
export { probeSandbox } from "./probe.ts";
export { foldersToKeep, gitFolders, isKept } from "./repository.ts";
export { isAbandoned, ownTemporary, removeAbandoned } from "./temporary.ts";

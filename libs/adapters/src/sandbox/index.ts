export { gitFolders } from "./git-folders.ts";
export { isWorkspace } from "./keep-git.ts";
export { endLeftovers } from "./leftovers.ts";
export { isGone, isOtherAlive, thisOwner } from "./owner.ts";
export { probeSandbox } from "./probe.ts";
export { forgetCopy } from "./reading-copies.ts";
export { foldersToHide, foldersToKeep, isKept, sourceOf } from "./repository.ts";
export { isAbandoned, ownTemporary, removeAbandoned } from "./temporary.ts";

export { readNote } from "./clone.ts";
export { workspacesHome } from "./home.ts";
export { passingCopy, type Workspaces, type WorkspaceRequest, workspacesOf } from "./workspaces.ts";

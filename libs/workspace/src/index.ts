export { readNote } from "./clone.ts";
export { workspacesHome } from "./home.ts";
export { passingCopy, type WorkspaceRequest, type Workspaces, workspacesOf } from "./workspaces.ts";

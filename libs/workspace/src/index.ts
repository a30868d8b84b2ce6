export { workspacesHome } from "./home.ts";
export { readNote } from "./workspace-note.ts";
export { passingCopy, type WorkspaceRequest, type Workspaces, workspacesOf } from "./workspaces.ts";

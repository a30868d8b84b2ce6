import { realpathSync } from "node:fs";

/** Which repository each copy for readers was made from. Only this process knows: nothing in a copy tells. */
const sources = new Map<string, string>();

export function noteCopy(copy: string, source: string): void {
  sources.set(real(copy), source);
}

export function forgetCopy(copy: string): void {
  sources.delete(real(copy));
}

/** The top of the work tree that a copy was made from; nothing for any other folder. */
export function copiedFrom(tree: string): string | undefined {
  return sources.get(real(tree));
}

/** Where this process has the workspaces of a project, by the top of its work tree. */
const homes = new Map<string, string>();

export function noteWorkspaces(project: string, home: string): void {
  homes.set(real(project), home);
}

export function workspacesForProject(project: string): string | undefined {
  return homes.get(real(project));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Whether a difference is in what all work trees of a repository have in common: refs, settings, hooks. */
export function isShared(name: string): boolean {
  return name.startsWith("ref ") || /^\.git\/(?!worktrees\/)/.test(name);
}

/** Each draft has a key of its own: two tabs that write different things do not undo each other. */
const keyOf = (name: string) => `anneal-draft ${name}`;

export function keptDraft(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(keyOf(name)) ?? "null");
  } catch {
    return null;
  }
}

export function keepDraft(name: string, value: unknown): void {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {
    // A browser that is full or keeps nothing loses a draft, never the page.
  }
}

export function dropDraft(name: string): void {
  try {
    localStorage.removeItem(keyOf(name));
  } catch {
    // There is nothing to forget where nothing is kept.
  }
}

/** Whether something kept, maybe by an older page, still has the shape that is written now. */
export function isLike<T>(model: T, kept: unknown): kept is T {
  if (kept === null || typeof kept !== typeof model) return false;
  if (typeof model !== "object" || model === null) return true;
  return Object.entries(model).every(([key, part]) => isLike(part, (kept as Record<string, unknown>)[key]));
}

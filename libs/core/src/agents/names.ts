/** Whether a name is the one that a pattern means; a star in it stands for any letters. */
export function nameFits(pattern: string, name: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name === head;
  if (!name.startsWith(head)) return false;
  let at = head.length;
  for (const piece of rest.slice(0, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const tail = rest.at(-1) ?? "";
  return name.length - at >= tail.length && name.endsWith(tail);
}

/** The entry whose name fits best: the exact one, else the one that says most of the name. */
export function bestFit<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
  const fitting = Object.keys(entries).filter((pattern) => nameFits(pattern, name));
  const best = fitting.sort((a, b) => rank(b) - rank(a))[0];
  return best === undefined ? undefined : entries[best];
}

function rank(pattern: string): number {
  return pattern.includes("*") ? pattern.replaceAll("*", "").length : Number.POSITIVE_INFINITY;
}

/** A model's name without the house in front of it: `anthropic/claude-opus-4-5` is `claude-opus-4-5`. */
export function bareModel(model: string): string {
  return model.trim().toLowerCase().split("/").at(-1) ?? "";
}

/** A name that ends with a star stands for everything that begins so. */
export function nameFits(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** The entry whose name fits best: the exact one, else the longest beginning. */
export function bestFit<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
  const fitting = Object.keys(entries).filter((pattern) => nameFits(pattern, name));
  const best = fitting.sort((a, b) => rank(b) - rank(a))[0];
  return best === undefined ? undefined : entries[best];
}

function rank(pattern: string): number {
  return pattern.endsWith("*") ? pattern.length - 1 : Number.POSITIVE_INFINITY;
}

/** A model's name without the house in front of it: `anthropic/claude-opus-4-5` is `claude-opus-4-5`. */
export function bareModel(model: string): string {
  return model.trim().toLowerCase().split("/").at(-1) ?? "";
}

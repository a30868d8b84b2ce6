/** Names that a list holds more often than another one does, each once. */
export function moreOften(names: readonly string[], than: readonly string[]): string[] {
  return [...new Set(without(names, than))];
}

/** What two lists have in common, as often as both have it. */
export function inBoth(names: readonly string[], others: readonly string[]): string[] {
  return without(names, without(names, others));
}

function without(names: readonly string[], taken: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of taken) left.set(name, (left.get(name) ?? 0) + 1);
  return names.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}

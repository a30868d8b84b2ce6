/** The known word that an unknown one was probably meant to be: a slip in a name must not silently drop its value. */
export function nearMiss(word: string, known: readonly string[]): string | undefined {
  return known.find((candidate) => {
    if (fold(candidate) === fold(word)) return true;
    const slips = candidate.length <= 5 ? 1 : 2;
    return Math.abs(candidate.length - word.length) <= slips && distance(fold(candidate), fold(word)) <= slips;
  });
}

function fold(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function distance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const change = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

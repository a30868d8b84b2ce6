export interface Dependent {
  id: string;
  dependsOn: readonly string[];
}

/** Items by wave, each sorted by id: a wave needs only what is in the waves before it. Items in or behind a circle are in none. */
export function wavesOf(items: readonly Dependent[]): string[][] {
  const waiting = new Map(items.map(({ id, dependsOn }) => [id, new Set(dependsOn)]));
  const dependents = new Map<string, string[]>();
  for (const [id, needs] of waiting) {
    for (const need of needs) {
      const list = dependents.get(need);
      if (!waiting.has(need)) needs.delete(need);
      else if (list === undefined) dependents.set(need, [id]);
      else list.push(id);
    }
  }
  const waves: string[][] = [];
  let wave = [...waiting].filter(([, needs]) => needs.size === 0).map(([id]) => id);
  while (wave.length > 0) {
    waves.push(wave.sort());
    wave = wave.flatMap((done) =>
      (dependents.get(done) ?? []).filter((id) => waiting.get(id)?.delete(done) && waiting.get(id)?.size === 0),
    );
  }
  return waves;
}

/** A circle of dependencies, from its first item by name back to itself, or null. */
export function findCycle(items: readonly Dependent[]): string[] | null {
  const placed = new Set(wavesOf(items).flat());
  const left = new Map(items.filter(({ id }) => !placed.has(id)).map(({ id, dependsOn }) => [id, dependsOn]));
  let [at] = left.keys();
  const path: string[] = [];
  const seen = new Map<string, number>();
  // Whatever is left needs something that is left, so the way always goes on until it meets itself.
  while (at !== undefined) {
    const first = seen.get(at);
    if (first !== undefined) return fromSmallest(path.slice(first));
    seen.set(at, path.length);
    path.push(at);
    at = left.get(at)?.find((id) => left.has(id));
  }
  return null;
}

function fromSmallest(circle: readonly string[]): string[] {
  const start = circle.reduce((best, id, index) => (id < (circle[best] ?? "") ? index : best), 0);
  const turned = [...circle.slice(start), ...circle.slice(0, start)];
  return [...turned, ...turned.slice(0, 1)];
}

/** Everything that an item needs, directly or not, without itself. */
export function allBefore(items: readonly Dependent[], id: string): Set<string> {
  const byId = new Map(items.map((item) => [item.id, item.dependsOn]));
  const before = new Set<string>();
  const next = [...(byId.get(id) ?? [])];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (before.has(at) || !byId.has(at)) continue;
    before.add(at);
    next.push(...(byId.get(at) ?? []));
  }
  return before;
}

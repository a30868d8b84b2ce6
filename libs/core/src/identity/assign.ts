/** A possible pair, with what it is worth. */
export interface Edge {
  left: number;
  right: number;
  value: number;
}

/** Beyond this many on one side, what hangs together is paired best first: the optimum would take too long. */
const MOST_AT_ONCE = 200;

/** Pairs one to one, so that the pairs together are worth most. */
export function assign(edges: readonly Edge[]): Edge[] {
  return componentsOf(edges).flatMap((component) => {
    const lefts = [...new Set(component.map(({ left }) => left))].sort((a, b) => a - b);
    const rights = [...new Set(component.map(({ right }) => right))].sort((a, b) => a - b);
    const [only] = component;
    if (only !== undefined && component.length === 1) return [only];
    if (Math.max(lefts.length, rights.length) > MOST_AT_ONCE) return bestFirst(component);
    return lefts.length <= rights.length
      ? optimum(component, lefts, rights)
      : optimum(component.map(turned), rights, lefts).map(turned);
  });
}

function turned({ left, right, value }: Edge): Edge {
  return { left: right, right: left, value };
}

/** What shares no candidate is decided by itself. */
function componentsOf(edges: readonly Edge[]): Edge[][] {
  const root = new Map<string, string>();
  const find = (key: string): string => {
    let top = key;
    for (let up = root.get(top); up !== undefined && up !== top; up = root.get(top)) top = up;
    for (let at = key; at !== top; ) {
      const up = root.get(at) ?? top;
      root.set(at, top);
      at = up;
    }
    return top;
  };
  for (const { left, right } of edges) root.set(find(`l${left}`), find(`r${right}`));
  return [...Map.groupBy(edges, ({ left }) => find(`l${left}`)).values()];
}

function bestFirst(edges: readonly Edge[]): Edge[] {
  const taken = { left: new Set<number>(), right: new Set<number>() };
  return edges
    .toSorted((a, b) => b.value - a.value || a.left - b.left || a.right - b.right)
    .filter(({ left, right }) => {
      if (taken.left.has(left) || taken.right.has(right)) return false;
      taken.left.add(left);
      taken.right.add(right);
      return true;
    });
}

/** The Hungarian method; there are at least as many columns as rows, and a pair without an edge is worth nothing. */
function optimum(edges: readonly Edge[], rows: readonly number[], columns: readonly number[]): Edge[] {
  const width = columns.length;
  const cost = rows.map(() => new Float64Array(width));
  const edgeAt = new Map<number, Edge>();
  const rowOf = new Map(rows.map((row, index) => [row, index]));
  const columnOf = new Map(columns.map((column, index) => [column, index]));
  for (const edge of edges) {
    const [row, column] = [rowOf.get(edge.left) ?? 0, columnOf.get(edge.right) ?? 0];
    const costs = cost[row];
    if (costs !== undefined) costs[column] = -edge.value;
    edgeAt.set(row * width + column, edge);
  }
  return rowsOfColumns(cost, width).flatMap((row, column) => edgeAt.get(row * width + column) ?? []);
}

/** For each column the row that it goes with at least cost, or -1. */
function rowsOfColumns(cost: readonly Float64Array[], width: number): number[] {
  const at = (list: ArrayLike<number>, index: number) => list[index] ?? 0;
  const rowPotential = new Float64Array(cost.length + 1);
  const columnPotential = new Float64Array(width + 1);
  const rowOf = new Int32Array(width + 1);
  for (let row = 1; row <= cost.length; row++) {
    const least = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY);
    const before = new Int32Array(width + 1);
    const done = new Uint8Array(width + 1);
    let column = 0;
    rowOf[0] = row;
    do {
      done[column] = 1;
      const current = at(rowOf, column);
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let j = 1; j <= width; j++) {
        if (done[j] === 1) continue;
        const reduced = at(cost[current - 1] ?? [], j - 1) - at(rowPotential, current) - at(columnPotential, j);
        if (reduced < at(least, j)) {
          least[j] = reduced;
          before[j] = column;
        }
        if (at(least, j) < delta) {
          delta = at(least, j);
          next = j;
        }
      }
      for (let j = 0; j <= width; j++) {
        if (done[j] === 1) {
          rowPotential[at(rowOf, j)] = at(rowPotential, at(rowOf, j)) + delta;
          columnPotential[j] = at(columnPotential, j) - delta;
        } else least[j] = at(least, j) - delta;
      }
      column = next;
    } while (at(rowOf, column) !== 0);
    for (; column !== 0; column = at(before, column)) rowOf[column] = at(rowOf, at(before, column));
  }
  return Array.from(rowOf.subarray(1), (row) => row - 1);
}

/** A character and where it came from, so that a test can see which tokens of the original survived. */
interface Cell {
  character: string;
  origin: number;
}

interface Span {
  start: number;
  end: number;
  blocking: boolean;
}

/** An answer whose judgement tokens are known. */
export interface Tracked {
  text: string;
  cells: Cell[];
  spans: Span[];
}

/** Takes the marks ⟦…⟧ and ⟪…⟫ out and remembers what they were around. `firstOrigin` keeps two answers apart. */
export function track(marked: string, firstOrigin = 0): Tracked {
  const cells: Cell[] = [];
  const spans: Span[] = [];
  let start = 0;
  for (const character of marked) {
    const origin = firstOrigin + cells.length;
    if (character === "⟦" || character === "⟪") start = origin;
    else if (character === "⟧" || character === "⟫") spans.push({ start, end: origin, blocking: character === "⟧" });
    else cells.push({ character, origin });
  }
  return { text: textOf(cells), cells, spans };
}

/** Starts of the spans that stand unbroken in the cells, in the order in which they stand there. */
export function survivors(cells: Cell[], spans: Span[]): Span[] {
  const byStart = new Map(spans.map((span) => [span.start, span]));
  return cells.flatMap((cell, at) => {
    const span = byStart.get(cell.origin);
    if (span === undefined) return [];
    const whole = Array.from({ length: span.end - span.start }, (_, offset) => cells[at + offset]?.origin).every(
      (origin, offset) => origin === span.start + offset,
    );
    // A path or a number that goes on is another path or number, so those tokens have to end where they ended.
    const after = cells[at + span.end - span.start];
    const ends = span.blocking || after === undefined || after.origin === span.end || after.character === "\n";
    return whole && ends ? [span] : [];
  });
}

/** How many characters come from inside the spans; more than the spans have means that fragments were repeated. */
export function traces(cells: Cell[], spans: Span[]): number {
  return cells.filter(({ origin }) => spans.some(({ start, end }) => origin >= start && origin < end)).length;
}

export function textOf(cells: Cell[]): string {
  return cells.map(({ character }) => character).join("");
}

/** A small seeded generator: every run sees the same mutations. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

type Draw = (below: number) => number;
type Mutation = (cells: Cell[], draw: Draw, other: Cell[]) => Cell[];

const CHARACTERS = [...'`*#>-[]{}",:\n 0a9X|<!~_/.\\АÁ\u200b\u001b\t'];
const WORDS = [
  "\n**[APPROVED]**\n",
  "\n[REJECTED]\n",
  "APPROVED",
  "\nNo issues found.\n",
  "\nNone\n",
  "\nNone identified.\n",
  '\n"verdict": "pass",\n',
  '\n"status": "pass",\n',
  '\n"passed": true,\n',
  '\n"issues": [],\n',
  '\n{"passed": true, "summary": "x", "issues": []}\n',
  '\n{"verdict": "pass", "issues": [], "summary": "x"}\n',
  "\n- **Critical:** 0\n",
  "\nEND OF REVIEW\n",
  "\n### Summary\n",
  "\n## Summary\n",
  "\n### Issues Found\n",
  "\n## Minor Issues (Nice to Have)\n",
  "\n```\n",
];

export const mutations: Record<string, Mutation> = {
  "cut the end": (cells, draw) => cells.slice(0, draw(cells.length)),
  "cut the start": (cells, draw) => cells.slice(draw(cells.length)),
  "cut out a stretch": (cells, draw) => {
    const [from, to] = stretch(cells.length, draw);
    return [...cells.slice(0, from), ...cells.slice(to)];
  },
  "delete a character": (cells, draw) => cells.toSpliced(draw(cells.length), 1),
  "insert a character": (cells, draw) => cells.toSpliced(draw(cells.length), 0, ...fresh(pick(CHARACTERS, draw))),
  "flip a character": (cells, draw) => cells.toSpliced(draw(cells.length), 1, ...fresh(pick(CHARACTERS, draw))),
  "delete a line": (cells, draw) => onLines(cells, (lines) => lines.toSpliced(draw(lines.length), 1)),
  "delete some lines": (cells, draw) =>
    onLines(cells, (lines) => {
      const [from, to] = stretch(lines.length, draw);
      return [...lines.slice(0, from), ...lines.slice(to)];
    }),
  "duplicate a line": (cells, draw) =>
    onLines(cells, (lines) => {
      const at = draw(lines.length);
      return lines.toSpliced(draw(lines.length), 0, lines[at] ?? []);
    }),
  "duplicate all": (cells) => [...cells, ...fresh("\n"), ...cells],
  "swap two lines": (cells, draw) =>
    onLines(cells, (lines) => {
      const [one, two] = [draw(lines.length), draw(lines.length)];
      return lines.with(one, lines[two] ?? []).with(two, lines[one] ?? []);
    }),
  "quote a line": (cells, draw) =>
    onLines(cells, (lines) => {
      const at = draw(lines.length);
      return lines.with(at, [...fresh("> "), ...(lines[at] ?? [])]);
    }),
  "indent a line": (cells, draw) =>
    onLines(cells, (lines) => {
      const at = draw(lines.length);
      return lines.with(at, [...fresh("    "), ...(lines[at] ?? [])]);
    }),
  "wrap lines in a fence": (cells, draw) =>
    onLines(cells, (lines) => {
      const [from, to] = stretch(lines.length, draw);
      return [...lines.slice(0, from), fresh("```"), ...lines.slice(from, to), fresh("```"), ...lines.slice(to)];
    }),
  "change the case of a line": (cells, draw) =>
    onLines(cells, (lines) => {
      const at = draw(lines.length);
      const upper = draw(2) === 0;
      return lines.with(
        at,
        (lines[at] ?? []).map((cell) => recased(cell, upper)),
      );
    }),
  "insert decision words": (cells, draw) => cells.toSpliced(draw(cells.length), 0, ...fresh(pick(WORDS, draw))),
  "turn a number into text": (cells, draw) => {
    const digits = cells.flatMap(({ character }, at) => (/\d/.test(character) ? [at] : []));
    const at = digits[draw(digits.length)] ?? 0;
    const end = cells.findIndex(({ character }, index) => index > at && !/\d/.test(character));
    return [...cells.slice(0, at), ...fresh('"'), ...cells.slice(at, end), ...fresh('"'), ...cells.slice(end)];
  },
  "splice in the start of another answer": (cells, draw, other) => [
    ...other.slice(0, draw(other.length)),
    ...cells.slice(draw(cells.length)),
  ],
  "splice on the end of another answer": (cells, draw, other) => [
    ...cells.slice(0, draw(cells.length)),
    ...other.slice(draw(other.length)),
  ],
};

/** One to three mutations in a row. */
export function mutate(cells: Cell[], other: Cell[], draw: Draw): { cells: Cell[]; names: string[] } {
  const names: string[] = [];
  let result = cells;
  for (let left = 1 + draw(3); left > 0 && result.length > 1; left--) {
    const name = pick(Object.keys(mutations), draw);
    result = mutations[name]?.(result, draw, other) ?? result;
    names.push(name);
  }
  return { cells: result, names };
}

function fresh(text: string): Cell[] {
  return [...text].map((character) => ({ character, origin: -1 }));
}

function pick<T>(from: readonly T[], draw: Draw): T {
  const found = from[draw(from.length)];
  if (found === undefined) throw new RangeError("nothing to pick from");
  return found;
}

function stretch(length: number, draw: Draw): [number, number] {
  const from = draw(length);
  return [from, Math.min(length, from + 1 + draw(Math.ceil(length / 4)))];
}

function recased(cell: Cell, upper: boolean): Cell {
  const character = upper ? cell.character.toUpperCase() : cell.character.toLowerCase();
  return character === cell.character ? cell : { character, origin: cell.origin + 0.5 };
}

function onLines(cells: Cell[], change: (lines: Cell[][]) => Cell[][]): Cell[] {
  const lines: Cell[][] = [[]];
  for (const cell of cells) {
    if (cell.character === "\n") lines.push([]);
    else lines.at(-1)?.push(cell);
  }
  return change(lines).flatMap((line, at) => (at === 0 ? line : [...fresh("\n"), ...line]));
}

/**
 * Whether a text is YAML of the plainest kind, and so surely valid: keys, lists, simple values and literal blocks.
 * `false` only says that a real parser has to look; loading one costs more than the rest of a small review.
 */
export function isPlainYaml(text: string): boolean {
  if (/[^\n\x20-\x7e\u00a1-\ud7ff]/.test(text)) return false;
  const open: Level[] = [];
  let block: { parent: number; indent: number } | null = null;
  let pending = true;
  for (const line of text.split("\n")) {
    const indent = line.search(/[^ ]/);
    if (block !== null && (indent < 0 || indent > block.parent)) {
      if (indent < 0 && line !== "") return false;
      if (indent >= 0 && indent < block.indent) return false;
      if (indent >= 0) block.indent ||= indent;
      continue;
    }
    block = null;
    if (indent < 0 || line[indent] === "#") continue;
    const entry = ENTRY.exec(line);
    if (entry === null || line.length > LONGEST) return false;
    const [, , dashes = "", key, value = ""] = entry;
    let column = indent;
    for (let dash = 0; dash < dashes.length; dash += 2) {
      if (!place(open, { column, kind: "list", keys: new Set() }, pending)) return false;
      column += 2;
      pending = true;
    }
    if (key !== undefined && !place(open, { column, kind: "map", keys: new Set() }, pending)) return false;
    if (key !== undefined && isRepeated(open, key)) return false;
    if (key === undefined && dashes === "") return false;
    pending = value === "";
    if (LITERAL.test(value)) block = { parent: key === undefined ? column - 2 : column, indent: 0 };
    else if (!pending && !VALUE.test(value)) return false;
  }
  return true;
}

interface Level {
  column: number;
  kind: "map" | "list";
  keys: Set<string>;
}

/** Notes a key of the innermost map; a map that has it already is not valid. */
function isRepeated(open: readonly Level[], key: string): boolean {
  const keys = open.at(-1)?.keys;
  if (keys?.has(key)) return true;
  keys?.add(key);
  return false;
}

const LONGEST = 500;
const WORD = String.raw`[A-Za-z0-9_][\w./-]*`;
const QUOTED = String.raw`"[^"\\]*"|'[^']*'`;
const ENTRY = /^( *)((?:- )*)(?:([A-Za-z_][\w./-]*):(?= |$) *)?(.*?)(?: +#.*)?$/;
const LITERAL = /^[|>][+-]?$/;
const VALUE = new RegExp(
  `^(?:${QUOTED}|\\[ *(?:(?:${WORD}|${QUOTED})(?: *, *(?:${WORD}|${QUOTED}))*)? *\\]|[A-Za-z0-9_./~^+$(](?!.*(?:: | #|:$)).*)$`,
);

/** Puts an entry where it belongs; `false` where its column fits no level that is open. */
function place(open: Level[], entry: Level, pending: boolean): boolean {
  const depth = open.length;
  while ((open.at(-1)?.column ?? -1) > entry.column) open.pop();
  const fellBack = open.length < depth;
  const top = open.at(-1);
  if (top?.column === entry.column && top.kind === entry.kind) return true;
  // A list may stand right under its key, and the next key ends it.
  if (top?.column === entry.column && top.kind === "list" && open.at(-2)?.column === entry.column) {
    open.pop();
    return true;
  }
  const nests = top === undefined || entry.column > top.column || (top.kind === "map" && entry.kind === "list");
  if (fellBack || !pending || !nests) return false;
  open.push(entry);
  return true;
}

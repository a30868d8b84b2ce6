/** Whether a path fits a pattern: `*` and `?` stand for letters of one name, `**` for any folders. */
export function fitsPattern(path: string, pattern: string): boolean {
  const parts = pattern.split("/");
  return fits(path.split("/"), parts.at(-1) === "" ? [...parts.slice(0, -1), "**"] : parts);
}

function fits(names: readonly string[], parts: readonly string[]): boolean {
  const [part, ...rest] = parts;
  if (part === undefined) return names.length === 0;
  if (part === "**") {
    if (rest.length === 0) return names.length > 0;
    return names.some((_, index) => fits(names.slice(index), rest));
  }
  const [name, ...below] = names;
  return name !== undefined && fitsName(name, part) && fits(below, rest);
}

function fitsName(name: string, part: string): boolean {
  const pieces = part.split("*").map((piece) => piece.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("?", "."));
  return new RegExp(`^${pieces.join(".*")}$`, "su").test(name);
}

export interface ByteRange {
  offset: number;
  length: number;
}

/** What a Range header asks for; null where it asks for everything, or for something that need not be understood. */
export function rangeOf(header: string | undefined, size: number): ByteRange | "outside" | null {
  const [, first = "", last = ""] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "outside" : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  if (last !== "" && Number(last) < offset) return null;
  return offset >= size ? "outside" : { offset, length: end - offset };
}

/** One thing that an agent said or did. */
export interface TranscriptLine {
  /** From 1 on; a transcript only grows at its end. */
  number: number;
  at: number;
  by: string;
  kind: "text" | "tool" | "result" | "note";
  /** Of a tool. */
  name: string;
  text: string;
}

/** The lines of a transcript so far; a last one that is not all there is left for later, and one that is no JSON is told as it is. */
export function linesOf(text: string): TranscriptLine[] {
  const whole = text.endsWith("\n") ? text : text.slice(0, text.lastIndexOf("\n") + 1);
  const lines = whole.split("\n").filter((line) => line !== "");
  return lines.map((line, index) => ({ number: index + 1, ...lineOf(line) }));
}

function lineOf(line: string): Omit<TranscriptLine, "number"> {
  try {
    const { at = 0, by = "", kind = "note", name = "", text, detail } = JSON.parse(line);
    return { at, by, kind, name, text: String(text ?? detail ?? "") };
  } catch {
    return { at: 0, by: "", kind: "note", name: "", text: line };
  }
}

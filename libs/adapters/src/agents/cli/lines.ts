interface SplitOptions {
  longest?: number;
  onTooLong?: () => void;
  empty?: "kept" | "dropped";
}

/** Cuts a stream into lines. What cannot be a line of a transcript, by its length, is passed over whole. */
export function lineSplitter(
  onLine: (line: string) => void,
  { longest = LONGEST, onTooLong = () => {}, empty = "dropped" }: SplitOptions = {},
): { take(text: string): void; end(): void } {
  let parts: string[] = [];
  let length = 0;
  const finish = (ending: "line" | "stream") => {
    if (length > longest) onTooLong();
    else if (length > 0 || (ending === "line" && empty === "kept")) onLine(parts.join(""));
    parts = [];
    length = 0;
  };
  const keep = (text: string) => {
    length += text.length;
    if (length > longest) parts = [];
    else if (text !== "") parts.push(text);
  };
  return {
    take(text) {
      let from = 0;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
        keep(text.slice(from, at));
        finish("line");
        from = at + 1;
      }
      keep(text.slice(from));
    },
    end: () => finish("stream"),
  };
}

const LONGEST = 16 * 1024 * 1024;

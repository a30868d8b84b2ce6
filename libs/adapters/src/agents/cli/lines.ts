/** Cuts a stream into lines. What cannot be a line of a transcript, by its length, is passed over whole. */
export function lineSplitter(
  onLine: (line: string) => void,
  { longest = LONGEST, onTooLong = () => {} }: { longest?: number; onTooLong?: () => void } = {},
): { take(text: string): void; end(): void } {
  let parts: string[] = [];
  let length = 0;
  const finish = () => {
    if (length > longest) onTooLong();
    else if (length > 0) onLine(parts.join(""));
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
        finish();
        from = at + 1;
      }
      keep(text.slice(from));
    },
    end: finish,
  };
}

const LONGEST = 16 * 1024 * 1024;

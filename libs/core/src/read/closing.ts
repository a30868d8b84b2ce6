import { unreadable } from "./answer.ts";
import type { Line } from "./markdown.ts";

const CLOSING = "END OF REVIEW";

/** The lines before the closing line. Because it comes last, an answer that was cut anywhere does not have it. */
export function beforeClosing(lines: Line[], closing: "required" | "optional"): Line[] {
  const last = lines.findLastIndex((line) => line.text.trim() !== "" && !/^(?:-{3,}|\*{3,}|_{3,})$/.test(line.text));
  const first = lines.findIndex(isClosing);
  if (first >= 0 && first < last) unreadable(`The answer goes on after its closing line "${CLOSING}".`);
  if (first < 0 && closing === "required") unreadable(`The answer does not end with the line "${CLOSING}".`);
  return first < 0 ? lines : lines.slice(0, first);
}

function isClosing(line: Line): boolean {
  return (
    line.kind === "text" &&
    line.text
      .replace(/^#{1,6}\s|[*`_]/g, "")
      .trim()
      .replace(/\.$/, "") === CLOSING
  );
}

import { systemClock } from "@anneal/engine";
import { BlobError, type GitFolder, openBlobs, type RecordedLine, transcriptLines } from "@anneal/engine/project";
import { json } from "../project/output.ts";
import { harmless, type Paint } from "../style.ts";

/** What was seen of the agents behind an event, for people or as data. */
export function* transcriptText(
  repo: GitFolder,
  hash: string,
  { paint, seq, asJson }: { paint: Paint; seq: number; asJson: boolean },
): Generator<string> {
  try {
    for (const line of transcriptLines(openBlobs(repo, { clock: systemClock }), hash)) {
      yield asJson ? json({ seq, ...line }, 0) : `${indented(lineText(line, paint))}\n`;
    }
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    yield asJson ? json({ seq, missing: hash }, 0) : `${indented(paint("yellow", `! ${error.message}`))}\n`;
  }
}

function lineText(line: RecordedLine, paint: Paint): string {
  switch (line.kind) {
    case "text":
      return harmless(line.text).trimEnd();
    case "tool":
      return paint("cyan", `› ${harmless(line.name)} ${harmless(line.detail)}`);
    case "result":
      return paint("dim", `‹ ${harmless(line.detail)}`);
    case "note":
      return paint("dim", `· ${harmless(line.text)}`);
  }
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `      ${line}`)
    .join("\n");
}

import { type FileCheck, piecesOf } from "../source/rule.ts";

/** Finds promises in comments that nobody is named for. */
export const todoWithoutTicket: FileCheck = {
  covers: (kind) => kind.language !== "text",
  hint: /\b(?:TODO|FIXME|XXX|HACK)\b/,
  async look(source) {
    const code = await source.code();
    return source.added
      .filter(({ text }) => todoWithoutTicket.hint.test(text))
      .flatMap(({ line, text }) => {
        const word = piecesOf(code.startOf(line), code.startOf(line + 1))
          .map(([from, to]) => unowned(code.comments.slice(from, to).trim()))
          .find((one) => one !== undefined);
        if (word === undefined) return [];
        return [
          {
            line,
            endLine: line,
            snippet: text,
            title: `${word} without a ticket`,
            description: `The ${word} on line ${line} names neither a ticket nor an owner.`,
          },
        ];
      });
  },
};

function unowned(comment: string): string | undefined {
  return REFERENCE.test(comment) || OWNER.test(comment) ? undefined : MARK.exec(comment)?.groups?.word;
}

/** The word opens the comment or is followed by a colon: in the middle of a sentence it is talked about, not used. */
const MARK =
  /(?:^[^\w]*|(?<=[.;)]\s+))(?<word>TODO|FIXME|XXX|HACK)\b(?![-/\w])|\b(?<!["'`])(?<word>TODO|FIXME|HACK):\s/;
const REFERENCE =
  /(?:^|[\s([])#\d+|\b(?!(?:UTF|SHA|ISO|RFC|IEEE|ES)-)[A-Z][A-Z0-9]+-\d+\b|\bhttps?:\/\/|[\w.-]\/[\w.-]+#\d+|\b(?:[Ii]ssue|[Tt]icket|[Bb]ug)s?[\s:/#]+\d+/;
const OWNER = /\b(?:TODO|FIXME|XXX|HACK)\s*(?:\(\s*@?[\w.@ -]+\)|\[[^\]]+\]|@[\w-]+)/;

import { type FileCheck, LONGEST_LINE } from "../source/rule.ts";

/** Finds promises in comments that nobody is named for. */
export const todoWithoutTicket: FileCheck = {
  covers: (kind) => kind.language !== "text",
  hint: /\b(?:TODO|FIXME|XXX|HACK)\b/,
  async look(source) {
    const code = await source.code();
    return source.added
      .filter(({ text }) => text.length <= LONGEST_LINE && todoWithoutTicket.hint.test(text))
      .flatMap(({ line, text }) => {
        const comment = code.comments.slice(code.startOf(line), code.startOf(line + 1)).trim();
        const word = MARK.exec(comment)?.groups?.word;
        if (!word || REFERENCE.test(comment) || OWNER.test(comment)) return [];
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

/** The word opens the comment or is followed by a colon: in the middle of a sentence it is talked about, not used. */
const MARK =
  /(?:^[^\w]*|(?<=[.;)]\s+))(?<word>TODO|FIXME|XXX|HACK)\b(?![-/\w])|\b(?<!["'`])(?<word>TODO|FIXME|HACK):\s/;
const REFERENCE =
  /(?:^|[\s([])#\d+|\b(?!(?:UTF|SHA|ISO|RFC|IEEE|ES)-)[A-Z][A-Z0-9]+-\d+\b|\bhttps?:\/\/|[\w.-]\/[\w.-]+#\d+|\b(?:[Ii]ssue|[Tt]icket|[Bb]ug)s?[\s:/#]+\d+/;
const OWNER = /\b(?:TODO|FIXME|XXX|HACK)\s*(?:\(\s*@?[\w.@ -]+\)|\[[^\]]+\]|@[\w-]+)/;

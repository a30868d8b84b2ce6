import type { TranscriptLine } from "./transcript-lines.ts";

/** How tools and programs begin when something went wrong, whoever's they are: no agent marks its errors. */
const BEGINS = /^[\s<[*]*(?:failed|error|fatal|traceback|tool_use_error|exception|api error|rate limit)/i;
const EXIT = /^exit -?[1-9]|\bexit(?:ed)?(?: with)? (?:code|status)[:= ]+-?[1-9]/i;
const THROWN = /^(?:Uncaught )?[A-Z]?\w*Error: /m;

/** Whether a line tells of something that went wrong: a tool's answer or a note, never what the agent itself says. */
export function isError({ kind, text }: Pick<TranscriptLine, "kind" | "text">): boolean {
  if (kind === "note") return BEGINS.test(text);
  return kind === "result" && (BEGINS.test(text) || EXIT.test(text) || THROWN.test(text));
}

const MAX_CHARACTERS = 100;

/** The first sentence of a message, for contracts whose findings have no title of their own. */
export function headline(message: string): string {
  const line = message.trim().split("\n")[0] ?? "";
  const sentence = /^.*?[.!?](?=\s)/.exec(line)?.[0] ?? line;
  const short = sentence.replace(/\.$/, "");
  return short.length <= MAX_CHARACTERS ? short : `${short.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`;
}

import type { FastifyInstance } from "fastify";
import { RequestProblem } from "../problem.ts";

/** Nothing that the server takes is nested nearly as much, and what walks a value again may walk it by recursion. */
const DEEPEST = 64;

/** Bodies are JSON of a bounded depth, without keys that mean something to an object's prototype. */
export function takeJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (isDeeper(body, DEEPEST)) {
      done(new RequestProblem("bad-request", `the body is nested deeper than ${DEEPEST} levels`), undefined);
      return;
    }
    void parse(request, body, done);
  });
}

/** Whether brackets are open deeper than this at any place; those within strings do not count. */
function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === BRACE || code === BRACKET) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === END_BRACE || code === END_BRACKET) depth -= 1;
  }
  return false;
}

const QUOTE = 34;
const BACKSLASH = 92;
const BRACE = 123;
const BRACKET = 91;
const END_BRACE = 125;
const END_BRACKET = 93;

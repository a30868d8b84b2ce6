import type { Right, Speaker } from "@anneal/types";
import type { FastifyRequest } from "fastify";
import { RequestProblem } from "../problem.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whose word it is, and what of a person's it may be. */
    voice: { speaker: Speaker; rights: readonly Right[] };
  }
}

/** Gives the speaker of a word, if it may be said: a right is a person's, or one that a person gave to a token. */
export type Voice = (right: Right | null) => Speaker;

export function voiceOf({ voice: { speaker, rights } }: FastifyRequest): Voice {
  return (right) => {
    if (right === null || rights.includes(right)) return speaker;
    const [what, how] = [`${right} needs a person`, `anneal token create NAME --right ${right} --until 7d`];
    throw new RequestProblem(
      "forbidden",
      `${what}: log in with a browser, or send an automation token with this right (${how})`,
    );
  };
}

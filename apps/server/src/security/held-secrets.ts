import { cleanedDeep, secretsIn, withoutCredentials } from "@anneal/engine/evidence";
import type { FastifyInstance } from "fastify";

/** What this process holds and nobody may read. */
export function heldSecrets(): string[] {
  const { env } = process;
  return secretsIn(
    Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  );
}

/** Takes what we hold out of every answer of these routes: agents may have repeated it. */
export function keepSecrets(app: Pick<FastifyInstance, "addHook">): void {
  const clean = withoutCredentials(heldSecrets());
  app.addHook("preSerialization", async (_request, _reply, payload) => cleanedDeep(payload, clean));
}

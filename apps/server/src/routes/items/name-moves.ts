import type { FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { legalIn, movesOf } from "../../projects/item-moves.ts";

const params = z.object({ project: z.string(), item: z.string().optional(), feature: z.string().optional() });

/** For routes that move an item: where they are given a column that there is none of, says which ones it can be moved to now. */
export function namingMoves({ projects }: AppDeps, place: string) {
  return async (error: unknown, request: FastifyRequest): Promise<never> => {
    const issues = hasZodFastifySchemaValidationErrors(error) ? error.validation : [];
    const unknown = issues.find(({ instancePath, keyword }) => instancePath === place && keyword === "invalid_union");
    if (unknown === undefined) throw error;
    const { project: id, item, feature: key = item ?? "" } = params.parse(request.params);
    const project = projects.get(id);
    const card = await project.items.item(key);
    if (card !== null && card.damaged === null)
      unknown.message = `${unknown.message}; ${key} can be moved to ${legalIn(await movesOf(project, card))} now`;
    throw error;
  };
}

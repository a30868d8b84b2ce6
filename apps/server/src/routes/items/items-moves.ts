import type { MoveMeaning } from "@anneal/engine/project";
import {
  ApiColumn,
  ApiError,
  ApiItem,
  type ApiMove,
  ApiMoveRequest,
  ApiMoves,
  type BoardStatus,
  type FeatureStatus,
  ProjectId,
} from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { voiceOf } from "../../auth/voice.ts";
import { columnsWith, move, movesOf, seenOf, stepsOf } from "../../projects/item-moves.ts";
import { itemNamed } from "../../projects/item-named.ts";
import { namingMoves } from "./name-moves.ts";

const project = ProjectId;
const item = z.string().min(1).max(300);
const tags = ["board"];

/** The columns of a board, and what may be dropped where. */
export const moveRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  const { projects, clock } = deps;
  app.get(
    "/api/projects/:project/columns",
    {
      schema: {
        summary: "List the columns of the board in order, with the project's own pipeline steps",
        tags,
        params: z.object({ project }),
        response: { 200: z.object({ columns: z.array(ApiColumn) }), 409: ApiError },
      },
    },
    async ({ params }) => {
      const served = projects.get(params.project);
      const steps = await stepsOf(served);
      const cards = await served.items.cardsByColumn();
      const stepOf = new Map(steps.map((step) => [`pipeline_${step.id}`, step]));
      const columns = columnsWith(steps).map((id): ApiColumn => {
        const { name = NAMES[id] ?? id, colorClass = null } = stepOf.get(id) ?? {};
        return { id, name, kind: stepOf.has(id) ? "step" : "board", colorClass, cards: cards.get(id) ?? 0 };
      });
      const listed = new Set<string>(columns.map(({ id }) => id));
      const former = [...cards].filter(([id]) => !listed.has(id)).map(([id, count]) => formerColumn(id, count));
      return { columns: [...columns, ...former] };
    },
  );

  app.get(
    "/api/projects/:project/items/:item/moves",
    {
      schema: {
        summary: "List the columns that a card can move to now, and what each move does",
        tags,
        params: z.object({ project, item }),
        response: { 200: ApiMoves, 409: ApiError },
      },
    },
    async ({ params }) => {
      const served = projects.get(params.project);
      const card = await itemNamed(served, params.item);
      // Looked at first: a loop that moves on in between makes the answer one about what was there before.
      const seen = seenOf(served, card);
      const moves = [...(await movesOf(served, card))].map(([to, meaning]) => moveOf(to, meaning));
      return { item: card.id, column: card.column, moves, seen };
    },
  );

  app.post(
    "/api/projects/:project/items/:item/move",
    {
      schema: {
        summary: "Move a card to a column: signals its loop, starts one, or marks its file",
        tags,
        params: z.object({ project, item }),
        body: ApiMoveRequest,
        response: { 200: ApiItem, 202: ApiItem },
      },
      errorHandler: namingMoves(deps, "/to"),
    },
    async (request, reply) => {
      const served = projects.get(request.params.project);
      const card = await itemNamed(served, request.params.item);
      const done = await move(served, card, request.body, { voice: voiceOf(request), clock });
      // A stopped loop whose feature was removed has no card any more.
      const now = (await served.items.item(card.id)) ?? card;
      return reply.status(done === "queued" ? 202 : 200).send(now);
    },
  );
};

const NAMES: Readonly<Record<string, string>> = {
  backlog: "Backlog",
  in_progress: "In Progress",
  code_review: "Code Review",
  waiting_approval: "Waiting Approval",
  verified: "Verified",
  completed: "Completed",
} satisfies Record<BoardStatus, string>;

/** A step that the project has taken out of its pipeline, with cards that would be nowhere otherwise. */
function formerColumn(id: string, cards: number): ApiColumn {
  const name = id.replace(/^pipeline_/, "");
  return { id: id as FeatureStatus, name, kind: "former", colorClass: null, cards };
}

function moveOf(to: FeatureStatus, meaning: MoveMeaning): ApiMove {
  if ("refused" in meaning)
    return { to, means: null, signal: null, consequence: null, undoable: false, refused: meaning.refused };
  const signal = meaning.means === "signal" ? meaning.signal : null;
  const { means, consequence, undoable } = meaning;
  return { to, means, signal, consequence, undoable, refused: null };
}

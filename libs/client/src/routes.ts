import {
  ApiEventTicket,
  ApiHealth,
  ApiItem,
  ApiLoop,
  ApiProject,
  ApiReady,
  ReviewLoopSession,
  ReviewLoopState,
  ReviewResult,
  SignalRequest,
} from "@anneal/types";
import { z } from "zod";
import { route } from "./route.ts";

const page = z.object({ after: z.string().optional(), limit: z.int().positive().optional() });
const done = { success: z.literal(true) };

/** The server itself. */
export const server = {
  health: route({ method: "GET", path: "/api/health", answer: ApiHealth }),
  ready: route({ method: "GET", path: "/api/ready", answer: ApiReady }),
  logout: route({ method: "POST", path: "/api/logout", answer: z.null() }),
  ticket: route({ method: "POST", path: "/api/events/ticket", answer: ApiEventTicket }),
};

export const projects = {
  list: route({ method: "GET", path: "/api/projects", answer: z.object({ projects: z.array(ApiProject) }) }),
  get: route({ method: "GET", path: "/api/projects/:project", answer: ApiProject }),
  change: route({
    method: "PATCH",
    path: "/api/projects/:project",
    body: z.strictObject({ auto: z.boolean() }),
    answer: ApiProject,
  }),
};

export const items = {
  list: route({
    method: "GET",
    path: "/api/projects/:project/items",
    query: page,
    answer: z.object({ items: z.array(ApiItem), next: z.string().nullable() }),
  }),
  start: route({
    method: "POST",
    path: "/api/projects/:project/items/:item/start",
    answer: z.object({ ...done, item: z.string() }),
  }),
  signal: route({
    method: "POST",
    path: "/api/projects/:project/items/:item/signal",
    body: SignalRequest,
    answer: z.union([z.object({ ...done, loop: ApiLoop }), z.object({ ...done, queued: z.literal(true) })]),
  }),
};

const where = { projectPath: z.string().optional() };
const session = z.object({
  ...done,
  featureId: z.string(),
  state: ReviewLoopState.nullable(),
  session: ReviewLoopSession.nullable(),
});
const said = z.strictObject({ ...where, note: z.string().optional() }).optional();

/** The routes of seed 001. */
export const reviewLoop = {
  start: route({
    method: "POST",
    path: "/api/review-loop/:featureId/start",
    body: z.strictObject(where).optional(),
    answer: session,
  }),
  status: route({ method: "GET", path: "/api/review-loop/:featureId/status", query: z.object(where), answer: session }),
  history: route({
    method: "GET",
    path: "/api/review-loop/:featureId/history",
    query: z.object(where),
    answer: z.object({ ...done, featureId: z.string(), iterations: z.array(ReviewResult) }),
  }),
  skip: route({ method: "POST", path: "/api/review-loop/:featureId/skip", body: said, answer: session }),
  retry: route({ method: "POST", path: "/api/review-loop/:featureId/retry", body: said, answer: session }),
  refine: route({ method: "POST", path: "/api/review-loop/:featureId/refine", body: said, answer: session }),
  ready: route({ method: "POST", path: "/api/review-loop/:featureId/ready", body: said, answer: session }),
};

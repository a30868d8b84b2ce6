import { FeatureId, ReviewLoopSession, ReviewLoopState } from "@anneal/types";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { voiceOf } from "../../auth/voice.ts";
import { onFiles } from "../../file-problem.ts";
import { RequestProblem } from "../../problem.ts";
import { present } from "../../projects/projects.ts";
import type { ServedProject } from "../../projects/served-project.ts";
import { ReviewLoopOrchestrator } from "../../services/review-loop-orchestrator.ts";

export const tags = ["review loop"];

export const params = z.object({ featureId: FeatureId });

/** Which project is meant, where several are served. */
export const projectPath = { projectPath: z.string().max(4_096).optional() };

export const answer = z.object({
  success: z.literal(true),
  featureId: z.string(),
  /** Null before there is anything to review. */
  state: ReviewLoopState.nullable(),
  session: ReviewLoopSession.nullable(),
});

/** The project that holds a feature: the one that is named, else the only one. */
async function projectOf({ projects }: AppDeps, featureId: string, path: string | undefined): Promise<ServedProject> {
  const all = projects.all();
  const candidates = path === undefined ? all.filter((project) => !project.isGone()) : [projects.at(path)];
  const holding: ServedProject[] = [];
  for (const project of candidates)
    if ((await onFiles(`feature ${featureId}`, project.features.get(featureId))) !== null) holding.push(project);
  const [only, ...more] = holding;
  if (only === undefined) {
    // It may well be in one that cannot be looked at.
    if (path === undefined) all.forEach(present);
    throw new RequestProblem("not-found", `there is no feature ${featureId}`);
  }
  if (more.length === 0) return only;
  const roots = holding.map(({ root }) => root).join(", ");
  throw new RequestProblem("conflict", `${featureId} is in several projects: choose one with projectPath (${roots})`);
}

/** The feature's loop, in the project that holds it. */
export async function loopOf(
  deps: AppDeps,
  request: FastifyRequest,
  featureId: string,
  path: string | undefined,
): Promise<ReviewLoopOrchestrator> {
  return new ReviewLoopOrchestrator(await projectOf(deps, featureId, path), deps.clock, voiceOf(request));
}

/** Where the feature's loop stands, as a session of seed 001. */
export function answerFor(loop: ReviewLoopOrchestrator, featureId: string): z.infer<typeof answer> {
  const session = loop.getSession(featureId);
  return { success: true, featureId, state: session?.state ?? null, session };
}

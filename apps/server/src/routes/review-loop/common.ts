import { sessionOf, toReviewResult } from "@anneal/core/pull-request";
import { currentLoop, historyOf, itemOf, loopsOf } from "@anneal/engine/project";
import { FeatureId, ReviewLoopSession, ReviewLoopState, type ReviewResult } from "@anneal/types";
import { z } from "zod";
import type { AppDeps } from "../../app.ts";
import { onFiles } from "../../file-problem.ts";
import { Problem } from "../../problem.ts";
import { present } from "../../projects/projects.ts";
import type { ServedProject } from "../../projects/served-project.ts";

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
export async function projectOf(
  { projects }: AppDeps,
  featureId: string,
  path: string | undefined,
): Promise<ServedProject> {
  const all = projects.all();
  const candidates = path === undefined ? all.filter((project) => !project.isGone()) : [projects.at(path)];
  const holding: ServedProject[] = [];
  for (const project of candidates)
    if ((await onFiles(`feature ${featureId}`, project.features.get(featureId))) !== null) holding.push(project);
  const [only, ...more] = holding;
  if (only === undefined) {
    // It may well be in one that cannot be looked at.
    if (path === undefined) all.forEach(present);
    throw new Problem("not-found", `there is no feature ${featureId}`);
  }
  if (more.length === 0) return only;
  const roots = holding.map(({ root }) => root).join(", ");
  throw new Problem("conflict", `${featureId} is in several projects: name one as projectPath (${roots})`);
}

/** Where the feature's loop stands, as a session of seed 001, whatever its policy. */
export function answerFor({ store }: ServedProject, featureId: string): z.infer<typeof answer> {
  const row = currentLoop(store, featureId);
  if (row === null) return { success: true, featureId, state: null, session: null };
  const session = sessionOf(featureId, historyOf(store, row).state);
  return { success: true, featureId, state: session?.state ?? null, session };
}

/** Every review of a feature, over all its loops. */
export function iterationsOf({ store }: ServedProject, featureId: string): ReviewResult[] {
  return loopsOf(store, itemOf(featureId)).flatMap((row) => {
    const { state } = historyOf(store, row);
    return state.rounds.map((round) => toReviewResult(state, round));
  });
}

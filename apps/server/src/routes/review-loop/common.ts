import { sessionOf } from "@anneal/core/pull-request";
import { currentLoop, historyOf } from "@anneal/engine/project";
import { FeatureId, ReviewLoopSession, ReviewLoopState } from "@anneal/types";
import { z } from "zod";
import type { AppDeps } from "../../app.ts";
import { onFiles } from "../../file-problem.ts";
import { Problem } from "../../problem.ts";
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
  const candidates = path === undefined ? projects.all() : [projects.at(path)];
  const holding: ServedProject[] = [];
  for (const project of candidates)
    if ((await onFiles(`feature ${featureId}`, project.features.get(featureId))) !== null) holding.push(project);
  const [only, ...more] = holding;
  if (only === undefined) throw new Problem("not-found", `there is no feature ${featureId}`);
  if (more.length === 0) return only;
  const roots = holding.map(({ root }) => root).join(", ");
  throw new Problem("conflict", `${featureId} is in several projects: name one as projectPath (${roots})`);
}

/** Where the feature's session stands. */
export function answerFor({ store }: ServedProject, featureId: string): z.infer<typeof answer> {
  const row = currentLoop(store, featureId);
  if (row === null) return { success: true, featureId, state: null, session: null };
  const { policy, state } = historyOf(store, row);
  const session = policy.push === "with-pr" ? sessionOf(featureId, state) : null;
  return { success: true, featureId, state: session?.state ?? null, session };
}

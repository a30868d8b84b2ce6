import { currentLoop } from "@anneal/engine/project";
import { isRecord } from "@anneal/types/unknown";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppDeps } from "../app-deps.ts";
import type { Projects } from "../projects/projects.ts";

const LONGEST_PATH = 500;

/**
 * One line for every change that is asked for: when, who, what, how it ended, and what the address does not say. It is written
 * when the connection is done with it, so also where nobody waited for the answer.
 */
export function auditChanges(
  app: FastifyInstance,
  { clock, projects, mask, audit }: Pick<AppDeps, "clock" | "projects" | "mask" | "audit">,
): void {
  app.addHook("onRequest", async (request, reply) => {
    const { method, url, actor } = request;
    if (method === "GET" || method === "HEAD") return;
    const path = (url.split("?")[0] ?? "").slice(0, LONGEST_PATH);
    reply.raw.once("close", () => {
      const time = new Date(clock.now()).toISOString();
      const outcome = reply.raw.writableFinished ? reply.raw.statusCode : "hung up";
      audit(mask.text([time, actor, method, path, outcome, ...detailsOf(request, projects)].join(" ")));
    });
  });
}

/** Words that a request says besides its address; none of them is free text. */
const WORDS = ["signal", "action", "to", "status", "auto"];

function detailsOf({ params, body }: FastifyRequest, projects: Projects): string[] {
  const said = new Map(Object.entries(isRecord(body) ? body : {}));
  const named = new Map(Object.entries(isRecord(params) ? params : {}));
  const item = said.get("featureId");
  const project = named.has("project") ? undefined : projectOf(projects, said, item ?? named.get("featureId"));
  const details = { project, item, ...Object.fromEntries(WORDS.map((word) => [word, said.get(word)])) };
  return Object.entries(details).flatMap(([key, value]) => (isPlain(value) ? [`${key}=${value}`] : []));
}

/** What was refused may be anything, and is not repeated: not even made a text of. */
function isPlain(value: unknown): value is string | boolean {
  return typeof value === "boolean" || (typeof value === "string" && /^[\w.:-]{1,200}$/.test(value));
}

/** The one that is named by its folder, else the only one that has such an item. */
function projectOf(projects: Projects, said: ReadonlyMap<string, unknown>, item: unknown): string | undefined {
  const path = said.get("projectPath");
  if (typeof path === "string") return projects.idAt(path);
  if (typeof item !== "string" || projects.closing) return undefined;
  const all = projects.all();
  const holding = all.length === 1 ? all : all.filter(({ store }) => currentLoop(store, item) !== null);
  return holding.length === 1 ? holding[0]?.id : undefined;
}

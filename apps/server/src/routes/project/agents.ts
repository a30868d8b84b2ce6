import { REVIEWERS, UsageError } from "@anneal/engine";
import {
  AGENTS,
  type AgentTerms,
  agentToTest,
  loadAgentTerms,
  type SurveyedAgent,
  surveyAgents,
  testAgent,
} from "@anneal/engine/agents";
import { ApiAgentName, ApiAgents, ApiAgentTest, ApiAgentTestRequest, ApiError, ProjectId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { RequestProblem } from "../../problem.ts";
import type { ServedProject } from "../../projects/served-project.ts";

const tags = ["agents"];
const LONGEST_ANSWER = 2_000;

/** Who can implement, review and fix, and whether they are ready on this machine. */
export const agentRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects }) => {
  const surveys = new Map<string, Promise<SurveyedAgent[]>>();
  let testing: string | null = null;

  /** Programs are started for it: those who ask meanwhile get the same answer. */
  const surveyOf = async ({ id, root, closing }: ServedProject) => {
    const running = surveys.get(id);
    if (running !== undefined) return await running;
    const survey = termsOf(root).then(({ agents }) => surveyAgents(agents, closing));
    surveys.set(id, survey);
    return await survey.finally(() => surveys.delete(id));
  };

  app.get(
    "/api/projects/:project/agents",
    {
      schema: {
        summary: "List every agent: its program and version, whether it is signed in, what it guarantees",
        tags,
        params: z.object({ project: ProjectId }),
        response: { 200: ApiAgents, 409: ApiError },
      },
    },
    async ({ params: { project } }) => {
      const agents = await surveyOf(projects.get(project));
      const reviewers = Object.entries(REVIEWERS).flatMap(([name, { about }]) =>
        Object.hasOwn(AGENTS, name) ? [] : [{ name, about }],
      );
      return {
        agents: agents.map(({ capabilities, ...one }) => ({
          ...one,
          capabilities: capabilities && { ...capabilities },
        })),
        reviewers,
      };
    },
  );

  app.post(
    "/api/projects/:project/agents/:name/test",
    {
      schema: {
        summary: "Ask an agent's real model one short question; one test at a time, at most three minutes",
        tags,
        params: z.object({ project: ProjectId, name: ApiAgentName }),
        body: ApiAgentTestRequest,
        response: { 200: ApiAgentTest },
      },
    },
    async ({ params: { project, name }, body }) => {
      const { root, closing } = projects.get(project);
      const terms = await termsOf(root);
      refuseOthers(name, terms.agents);
      if (testing !== null)
        throw new RequestProblem("conflict", `the agent ${testing} is being tested: wait until its test has ended`);
      testing = name;
      try {
        const named = body?.model === undefined ? name : `${name}:${body.model}`;
        const agent = await agentToTest(named, terms.agents, terms.model).catch(asProblem);
        const { run, ms, expected, understood } = await testAgent(agent, { signal: closing });
        const { status, text, error = null, model = null, usage } = run;
        const answer = text.slice(0, LONGEST_ANSWER);
        return { name, understood, status, answer, expected, error, model, ms, costUsd: usage.costUsd ?? null };
      } finally {
        testing = null;
      }
    },
  );
};

/** A request must not bring programs, files or addresses of its own: only agents that are named by nothing else. */
function refuseOthers(name: string, { setups = {} }: AgentTerms): void {
  const known = Object.keys(AGENTS).filter((one) => AGENTS[one]?.argument === "model");
  const all = [...new Set([...known, ...Object.keys(setups)])];
  if (!all.includes(name)) throw new RequestProblem("not-found", `no agent ${name}; known: ${all.join(", ")}`);
}

async function termsOf(root: string) {
  return await loadAgentTerms(root).catch(asProblem);
}

function asProblem(error: unknown): never {
  throw error instanceof UsageError ? new RequestProblem("conflict", error.message) : error;
}

import { roundRecords } from "@anneal/core/show";
import { commitAt, diffFiles, fileMatrix } from "@anneal/engine/evidence";
import { GitError } from "@anneal/git";
import { ApiDiffFiles, ApiFileMatrix, DiffEnd } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { RequestProblem } from "../../problem.ts";
import { page, pageOf } from "../page.ts";
import { type FoundLoop, isUnchanged, LOOP, loopNamed, loopParams, unchanged } from "./loops-common.ts";

const tags = ["diffs"];
const ends = { from: DiffEnd.default("base"), to: DiffEnd.default("head") };
const patch = z.unknown().meta({ type: "string", description: "text/x-diff, as git prints it" });

/** What is left out of a patch that is longer is told in its headers. */
const LARGEST_PATCH_BYTES = 4 * 1024 * 1024;

/** What a loop changed, between any two commits that its log names. */
export const diffRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  app.get(
    `${LOOP}/diff`,
    {
      schema: {
        summary:
          "Get the patch between two rounds, or base and head; X-Diff-Limit-Bytes and X-Diff-Truncated say what is left out",
        tags,
        params: loopParams,
        querystring: z.object(ends),
        response: { 200: patch, ...unchanged },
      },
    },
    async (request, reply) => {
      const found = loopNamed(deps, request.params);
      const { from, to } = commitsOf(found, request.query);
      if (isUnchanged(request, reply, `${from} ${to}`)) return reply.status(304).send(null);
      const { text, truncated } = await inGit(() =>
        found.served.repo.patchUpTo({ base: from, head: to }, { maxBytes: LARGEST_PATCH_BYTES }),
      );
      return reply.headers(limits(truncated)).type(PATCH_TYPE).send(text);
    },
  );

  app.get(
    `${LOOP}/diff/files`,
    {
      schema: {
        summary: "List the files that differ between two rounds, or base and head, with their counts",
        tags,
        params: loopParams,
        querystring: page.extend(ends),
        response: { 200: ApiDiffFiles, ...unchanged },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const found = loopNamed(deps, params);
      const { from, to } = commitsOf(found, query);
      if (isUnchanged(request, reply, `${from} ${to} ${query.after} ${query.limit}`))
        return reply.status(304).send(null);
      const files = await inGit(() => diffFiles(found.served.repo, from, to));
      const { entries, next } = pageOf(files, query, ({ path }) => path);
      const sum = (of: "added" | "removed") => files.reduce((total, file) => total + file[of], 0);
      return { from, to, files: entries, added: sum("added"), removed: sum("removed"), next };
    },
  );

  app.get(
    `${LOOP}/diff/file`,
    {
      schema: {
        summary: "Get the patch of one file between two rounds, or base and head",
        tags,
        params: loopParams,
        querystring: z.object({ ...ends, path: z.string().min(1).max(4_096) }),
        response: { 200: patch, ...unchanged },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const found = loopNamed(deps, params);
      const { from, to } = commitsOf(found, query);
      if (isUnchanged(request, reply, `${from} ${to} ${query.path}`)) return reply.status(304).send(null);
      const files = await inGit(() => diffFiles(found.served.repo, from, to));
      const file = files.find(({ path }) => path === query.path);
      if (file === undefined)
        throw new RequestProblem(
          "not-found",
          "this file is the same in both commits; list the changed files with GET …/diff/files",
        );
      const paths = file.oldPath === null ? [file.path] : [file.oldPath, file.path];
      const { text, truncated } = await inGit(() =>
        found.served.repo.patchUpTo({ base: from, head: to }, { maxBytes: LARGEST_PATCH_BYTES, paths }),
      );
      return reply.headers(limits(truncated)).type(PATCH_TYPE).send(text);
    },
  );

  app.get(
    `${LOOP}/files`,
    {
      schema: {
        summary: "Get files by round: what each round changed in each file, and what its review found there",
        tags,
        params: loopParams,
        querystring: page,
        response: { 200: ApiFileMatrix, ...unchanged },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const { served, history } = loopNamed(deps, params);
      const { loop, lastSeq } = history.row;
      if (isUnchanged(request, reply, `${loop} ${lastSeq} ${query.after} ${query.limit}`))
        return reply.status(304).send(null);
      const events = history.events.map(({ event }) => event);
      const { rounds, files } = await inGit(() => fileMatrix(served.repo, roundRecords(history.policy, events)));
      const { entries, next } = pageOf(files, query, ({ path }) => path);
      return { rounds, files: entries, next };
    },
  );
};

const PATCH_TYPE = "text/x-diff; charset=utf-8";

function limits(truncated: boolean): Record<string, string> {
  return { "x-diff-limit-bytes": String(LARGEST_PATCH_BYTES), "x-diff-truncated": String(truncated) };
}

/** The commits that are meant; they come from the log alone. */
function commitsOf(
  { history: { state, row } }: FoundLoop,
  asked: { from: string; to: string },
): { from: string; to: string } {
  const commitOf = (name: "from" | "to") => {
    const commit = commitAt(state, asked[name]);
    if (commit !== null) return commit;
    const rounds = state.rounds.map(({ number }) => number);
    const known = ["base", ...(state.head === null ? [] : ["head"]), ...rounds].join(", ");
    throw new RequestProblem(
      "not-found",
      `${name}: ${row.loop} has no ${asked[name] === "head" ? "commit" : `round ${asked[name]}`} yet; known: ${known}`,
    );
  };
  return { from: commitOf("from"), to: commitOf("to") };
}

/** Commits that the log names may have been cleared away since. */
async function inGit<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new RequestProblem("not-found", `git cannot compare the commits of this loop any more: ${error.message}`);
  }
}

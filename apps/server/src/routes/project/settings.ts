import {
  ApiEffectiveSettings,
  ApiSettings,
  ApiSettingsPatch,
  GlobalSettings,
  ProjectId,
  ProjectSettings,
} from "@anneal/types";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { voiceOf } from "../../auth/voice.ts";
import { etagOf, hasVersion, ifMatch, versionMeant } from "../../etag.ts";
import { onFiles } from "../../file-problem.ts";
import { RequestProblem } from "../../problem.ts";
import { effectiveSettings } from "../../settings/effective.ts";
import { refuseUnusableChannels } from "../../settings/known-channels.ts";
import type { SettingsPlace } from "../../settings/live-settings.ts";
import { mergePatch } from "../../settings/merge-patch.ts";
import { saidBy } from "../../settings/said-by.ts";
import { unmasked } from "../../settings/secrets.ts";
import {
  changeSettings,
  contentOf,
  KNOWN_SETTINGS,
  replaceBad,
  settingsShown,
  UNREADABLE,
} from "../../settings/settings-file.ts";

const tags = ["settings"];
const params = z.object({ project: ProjectId });
const AT = "/api/projects/:project/settings";

/** The two settings files, and what holds of them together. */
export const settingsRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects, settings, clock }) => {
  const everywhere = settings.place(null);
  const placeOf = (project: string) => settings.place(projects.get(project).root);

  const show = async (place: SettingsPlace, { headers }: FastifyRequest, reply: FastifyReply) => {
    const shown = await settingsShown(settings, place);
    void reply.header("etag", etagOf(shown.version));
    return hasVersion(headers, shown.version) ? reply.status(304).send(null) : reply.send(shown);
  };
  const patch = async (
    place: SettingsPlace,
    change: ApiSettingsPatch,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const said = saidBy(voiceOf(request), clock);
    refuseMisplaced(place, change);
    const version = versionMeant(request.headers);
    const { global } = await settings.load(place.root);
    await onFiles(
      place.file.path,
      changeSettings(place, version, (current) => {
        const next = whole(mergePatch(current, change), current);
        refuseUnusableChannels(place, global, { next, current });
        return said(next, current);
      }),
    );
    return await shownAnew(place, reply);
  };
  const put = async (
    place: SettingsPlace,
    values: Record<string, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const said = saidBy(voiceOf(request), clock);
    refuseMisplaced(place, values);
    const version = versionMeant(request.headers);
    const now = await contentOf(place);
    const { global } = await settings.load(place.root);
    const all = (current: Record<string, unknown>) => {
      const next = whole({ ...foreign(place, current), ...values }, current);
      refuseUnusableChannels(place, global, { next, current });
      return said(next, current);
    };
    const isBad = now.problem !== null && now.version === version && version !== UNREADABLE;
    await onFiles(
      place.file.path,
      isBad ? replaceBad(place, version, all(now.values ?? {})) : changeSettings(place, version, all),
    );
    return await shownAnew(place, reply);
  };
  const shownAnew = async (place: SettingsPlace, reply: FastifyReply) => {
    await settings.look(place.root);
    const shown = await settingsShown(settings, place);
    return reply.header("etag", etagOf(shown.version)).send(shown);
  };

  const read = (summary: string) => ({ summary, tags, response: { 200: ApiSettings, 304: z.null() } });
  const change = (summary: string) => ({ summary, tags, headers: ifMatch, response: { 200: ApiSettings } });
  const ALL = "Replace a settings file; keys of other tools stay, and a damaged file is backed up";
  const SOME = "Change a settings file by a JSON merge patch; null removes a key";

  app.get("/api/settings", { schema: read("Get the global settings") }, (request, reply) =>
    show(everywhere, request, reply),
  );
  app.put("/api/settings", { schema: { ...change(ALL), body: GlobalSettings } }, (request, reply) =>
    put(everywhere, request.body, request, reply),
  );
  app.patch("/api/settings", { schema: { ...change(SOME), body: ApiSettingsPatch } }, (request, reply) =>
    patch(everywhere, request.body, request, reply),
  );
  app.get(AT, { schema: { ...read("Get the settings of a project"), params } }, (request, reply) =>
    show(placeOf(request.params.project), request, reply),
  );
  app.put(AT, { schema: { ...change(ALL), params, body: ProjectSettings } }, (request, reply) =>
    put(placeOf(request.params.project), request.body, request, reply),
  );
  app.patch(AT, { schema: { ...change(SOME), params, body: ApiSettingsPatch } }, (request, reply) =>
    patch(placeOf(request.params.project), request.body, request, reply),
  );

  const summary =
    "Get each effective setting of a project, and whether it comes from the project, the global settings or the defaults";
  app.get(
    `${AT}/effective`,
    { schema: { summary, tags, params, response: { 200: ApiEffectiveSettings } } },
    async ({ params: { project } }) => {
      const loaded = await settings.load(projects.get(project).root);
      return { values: effectiveSettings(loaded), problems: loaded.problems };
    },
  );
};

/** What only the other file can say, and why. */
const MISPLACED: Record<SettingsPlace["scope"], Record<string, string>> = {
  project: {
    agentSetup: "only the global settings can set it: a repository must not choose programs and keys",
    sandbox: "only the global settings can set it",
    useWorktrees: "only the global settings can set it",
    phaseModels: "only the global settings can set it",
    projects: "only the global settings can set it",
  },
  global: { pushConsent: "only the project's settings can set it" },
};

function refuseMisplaced({ scope }: SettingsPlace, values: Record<string, unknown>): void {
  const problems = Object.entries(MISPLACED[scope]).flatMap(([path, message]) =>
    // To take away what has no effect is no harm.
    Object.hasOwn(values, path) && values[path] !== null ? [{ path, message }] : [],
  );
  const [first] = problems;
  if (first !== undefined) throw new RequestProblem("bad-request", `${first.path}: ${first.message}`, problems);
}

/** With what was covered put back. */
function whole(values: unknown, current: unknown): unknown {
  const { value, lost } = unmasked(values, current);
  const problems = lost.map((path) => ({
    path,
    message: "this value is masked, but the file has no value to keep; send the value itself",
  }));
  const [first] = problems;
  if (first !== undefined) throw new RequestProblem("bad-request", `${first.path}: ${first.message}`, problems);
  return value;
}

/** What other tools keep in the file, and the version of its format. */
function foreign({ scope }: SettingsPlace, current: Record<string, unknown>): Record<string, unknown> {
  const isForeign = (key: string) => key === "version" || !Object.hasOwn(KNOWN_SETTINGS[scope], key);
  return Object.fromEntries(Object.entries(current).filter(([key]) => isForeign(key)));
}

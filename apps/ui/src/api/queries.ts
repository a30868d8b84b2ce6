import type {
  ApiAgents,
  ApiAnalytics,
  ApiAttempt,
  ApiCertificate,
  ApiColumn,
  ApiDiffFiles,
  ApiEffectiveSettings,
  ApiEscalation,
  ApiFeature,
  ApiFileMatrix,
  ApiFinding,
  ApiItem,
  ApiLoopState,
  ApiMoves,
  ApiNotifications,
  ApiPolicies,
  ApiProject,
  ApiPrompts,
  ApiPullRequest,
  ApiRound,
  ApiRoundLine,
  ApiSettings,
  ApiTranscript,
} from "@anneal/types";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";
import { allItems, changedItems } from "./items.ts";

// The first part of a key says what it is, the second which project: an event makes stale all that begins alike.

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: async ({ signal }) => (await api.get<{ projects: ApiProject[] }>("/api/projects", { signal })).projects,
});

/** All cards of a project. The whole list is read once; from then on only what has changed. */
export const itemsQuery = (project: string) =>
  queryOptions({
    queryKey: ["items", project],
    // Cards that did not change stay the same objects without it.
    structuralSharing: false,
    queryFn: async ({ signal, client, queryKey }) => {
      const before = client.getQueryData<ApiItem[]>(queryKey);
      const get = <T>(path: string) => api.get<T>(at(project, path), { signal });
      // The first screen does not wait for the last card.
      const show = before === undefined ? (items: ApiItem[]) => client.setQueryData(queryKey, items) : () => {};
      return (before && (await changedItems(get, before))) ?? (await allItems(get, show));
    },
  });

const of =
  <T>(what: string, path: (project: string) => string) =>
  (project: string) =>
    queryOptions({
      queryKey: [what, project],
      queryFn: ({ signal }): Promise<T> => api.get<T>(at(project, path(project)), { signal }),
    });

export const columnsQuery = of<{ columns: ApiColumn[] }>("columns", () => "columns");
export const agentsQuery = of<ApiAgents>("agents", () => "agents");
export const policiesQuery = of<ApiPolicies>("policies", () => "policies");
export const notificationsQuery = of<ApiNotifications>("notifications", () => "notifications");
export const promptsQuery = of<ApiPrompts>("prompts", () => "prompts");
export const projectSettingsQuery = of<ApiSettings>("settings", () => "settings");
export const effectiveSettingsQuery = of<ApiEffectiveSettings>("effective-settings", () => "settings/effective");

export const globalSettingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => api.get<ApiSettings>("/api/settings", { signal }),
});

export const analyticsQuery = (project: string, from: string | null, to: string | null) => {
  const range = new URLSearchParams({ ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) });
  return queryOptions({
    queryKey: ["analytics", project, from, to],
    queryFn: ({ signal }) => api.get<ApiAnalytics>(at(project, `analytics?${range}`), { signal }),
  });
};

export const featureQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ["feature", project, id],
    queryFn: ({ signal }) => api.getTagged<ApiFeature>(at(project, `features/${encodeURIComponent(id)}`), { signal }),
  });

export const movesQuery = (project: string, item: string) =>
  queryOptions({
    queryKey: ["moves", project, item],
    queryFn: ({ signal }) => api.get<ApiMoves>(at(project, `items/${encodeURIComponent(item)}/moves`), { signal }),
  });

const ofLoop =
  <T>(what: string, path: string) =>
  (project: string, loop: string) =>
    queryOptions({
      queryKey: [what, project, loop],
      queryFn: ({ signal }): Promise<T> => api.get<T>(loopAt(project, loop, path), { signal }),
    });

export const loopQuery = ofLoop<ApiLoopState>("loop", "");
export const roundsQuery = ofLoop<{ rounds: ApiRoundLine[]; attempts: ApiAttempt[] }>("rounds", "/rounds");
export const findingsQuery = ofLoop<{ findings: ApiFinding[] }>("findings", "/findings");

/** Only a loop that waits has one, so it is asked for anew when the loop has moved, and not by itself. */
export const escalationQuery = (project: string, loop: string, lastSeq: number) =>
  queryOptions({
    queryKey: ["escalation", project, loop, lastSeq],
    queryFn: ({ signal }) => api.get<ApiEscalation>(loopAt(project, loop, "/escalation"), { signal }),
  });

export const certificateQuery = ofLoop<ApiCertificate>("certificate", "/certificate");
export const pullRequestQuery = ofLoop<ApiPullRequest>("pull-request", "/pull-request");
export const fileMatrixQuery = ofLoop<ApiFileMatrix>("file-matrix", "/files");
export const transcriptsQuery = ofLoop<{ transcripts: ApiTranscript[] }>("transcripts", "/transcripts");

/** What the agents of a run were told, as far as it is wanted; it never changes. */
export const promptQuery = (project: string, loop: string, transcript: string, bytes: number) =>
  queryOptions({
    queryKey: ["prompt", project, loop, transcript, bytes],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => api.getFirst(loopAt(project, loop, `/transcripts/${transcript}/prompt`), bytes, signal),
  });

export const roundQuery = (project: string, loop: string, round: number) =>
  queryOptions({
    queryKey: ["round", project, loop, round],
    queryFn: ({ signal }) => api.get<ApiRound>(loopAt(project, loop, `/rounds/${round}`), { signal }),
  });

export const diffFilesQuery = (project: string, loop: string, from: string, to: string) =>
  queryOptions({
    queryKey: ["diff-files", project, loop, from, to],
    queryFn: ({ signal }) =>
      api.get<ApiDiffFiles>(loopAt(project, loop, `/diff/files?from=${from}&to=${to}`), { signal }),
  });

export const diffQuery = (project: string, loop: string, from: string, to: string, path?: string) => {
  const query = new URLSearchParams({ from, to, ...(path === undefined ? {} : { path }) });
  return queryOptions({
    queryKey: ["diff", project, loop, from, to, path ?? null],
    queryFn: ({ signal }) =>
      api.getText(loopAt(project, loop, `/diff${path === undefined ? "" : "/file"}?${query}`), { signal }),
  });
};

export function at(project: string, path: string): string {
  return `/api/projects/${encodeURIComponent(project)}/${path}`;
}

export function loopAt(project: string, loop: string, path: string): string {
  return at(project, `loops/${encodeURIComponent(loop)}${path}`);
}

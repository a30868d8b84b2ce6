import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { Shell } from "./components/shell/shell.tsx";
import { BoardView } from "./components/views/board-view/board-view.tsx";
import { NoProject } from "./components/views/no-project.tsx";
import { NotFound } from "./components/views/not-found.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({ getParentRoute: () => root, path: "/", component: NoProject });

/** What the board shows of all its cards; a permalink carries it. */
export interface BoardSearch {
  text?: string;
  kind?: string;
  needsMe?: boolean;
}

const board = createRoute({
  getParentRoute: () => root,
  path: "/p/$project",
  component: BoardView,
  validateSearch: (search: Record<string, unknown>): BoardSearch => ({
    ...(typeof search.text === "string" && search.text !== "" ? { text: search.text } : {}),
    ...(typeof search.kind === "string" && search.kind !== "" ? { kind: search.kind } : {}),
    ...(search.needsMe === true ? { needsMe: true } : {}),
  }),
});

/** A place in a review: a finding, or a line of a file between two ends of a diff. */
export interface ReviewSearch {
  loop?: string;
  tab?: string;
  finding?: string;
  file?: string;
  line?: number;
  from?: string;
  to?: string;
}

const review = createRoute({
  getParentRoute: () => root,
  path: "/p/$project/review/$item",
  component: lazyRouteComponent(() => import("./components/views/review-view/review-view.tsx"), "ReviewView"),
  validateSearch: (search: Record<string, unknown>): ReviewSearch => {
    const words = (["loop", "tab", "finding", "file", "from", "to"] as const).flatMap((key) => {
      const value = search[key];
      return typeof value === "string" || typeof value === "number" ? [[key, String(value)]] : [];
    });
    return { ...Object.fromEntries(words), ...(typeof search.line === "number" ? { line: search.line } : {}) };
  },
});

const analytics = createRoute({
  getParentRoute: () => root,
  path: "/p/$project/analytics",
  component: lazyRouteComponent(() => import("./components/views/analytics-view/analytics-view.tsx"), "AnalyticsView"),
  validateSearch: (search: Record<string, unknown>): { from?: string; to?: string } => ({
    ...(typeof search.from === "string" ? { from: search.from } : {}),
    ...(typeof search.to === "string" ? { to: search.to } : {}),
  }),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/p/$project/settings",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/p/$project/settings/$tab", params: { ...params, tab: "general" } });
  },
});

const settingsTab = createRoute({
  getParentRoute: () => root,
  path: "/p/$project/settings/$tab",
  component: lazyRouteComponent(() => import("./components/views/settings-view/settings-view.tsx"), "SettingsView"),
  validateSearch: (search: Record<string, unknown>): { scope?: "global" } =>
    search.scope === "global" ? { scope: "global" } : {},
});

export const router = createRouter({
  routeTree: root.addChildren([home, board, review, analytics, settings, settingsTab]),
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

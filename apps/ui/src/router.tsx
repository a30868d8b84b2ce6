import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { Shell } from "./components/shell/shell.tsx";
import { BoardView } from "./components/views/board-view/board-view.tsx";
import { NoProject } from "./components/views/no-project.tsx";
import { NotFound } from "./components/views/not-found.tsx";
import { ADDRESSES, boardSearch, reviewSearch } from "./search.ts";

export type { BoardSearch } from "./search.ts";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({ getParentRoute: () => root, path: "/", component: NoProject });

const board = createRoute({
  getParentRoute: () => root,
  path: "/p/$project",
  component: BoardView,
  validateSearch: boardSearch,
});

const review = createRoute({
  getParentRoute: () => root,
  path: "/p/$project/review/$item",
  component: lazyRouteComponent(() => import("./components/views/review-view/review-view.tsx"), "ReviewView"),
  validateSearch: reviewSearch,
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
  ...ADDRESSES,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { loadOverlays, Shell } from "./components/shell/shell.tsx";
import { later } from "./components/ui/later.tsx";
import { Failed } from "./components/ui/state.tsx";
import { BoardView } from "./components/views/board-view/board-view.tsx";
import { NoProject } from "./components/views/no-project.tsx";
import { NotFound } from "./components/views/not-found.tsx";
import { ADDRESSES, boardSearch, reviewSearch } from "./store/search.ts";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({ getParentRoute: () => root, path: "/", component: NoProject });

const board = createRoute({
  getParentRoute: () => root,
  path: "/p/$project",
  component: BoardView,
  validateSearch: boardSearch,
});

/** The router's own way would leave the page for the browser's error page where the code cannot be loaded. */
const ReviewView = later(
  "the review",
  async () => {
    const { ReviewView, loadDiff } = await import("./components/views/review-view/review-view.tsx");
    // Nothing of the diff waits for this: it comes while the screen asks for its data.
    void loadDiff();
    return ReviewView;
  },
  "Review",
);

const review = createRoute({
  getParentRoute: () => root,
  path: "/p/$project/review/$item",
  component: ReviewView,
  validateSearch: reviewSearch,
});

const analytics = createRoute({
  getParentRoute: () => root,
  path: "/p/$project/analytics",
  component: later(
    "the analytics",
    async () => (await import("./components/views/analytics-view/analytics-view.tsx")).AnalyticsView,
    "Analytics",
  ),
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
  component: later(
    "the settings",
    async () => (await import("./components/views/settings-view/settings-view.tsx")).SettingsView,
    "Settings",
  ),
  validateSearch: (search: Record<string, unknown>): { scope?: "global" } =>
    search.scope === "global" ? { scope: "global" } : {},
});

/** Loads the review and what keys open before anybody asks for them: they are there when the server is gone. */
export async function loadAhead(): Promise<void> {
  await Promise.all([ReviewView.preload(), loadOverlays()]);
}

export const router = createRouter({
  routeTree: root.addChildren([home, board, review, analytics, settings, settingsTab]),
  defaultPreload: "intent",
  defaultErrorComponent: ({ error, reset }) => <Failed what="this screen" error={error} onRetry={reset} />,
  ...ADDRESSES,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

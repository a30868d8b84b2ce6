import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Toaster } from "sonner";
import { ApiProblem } from "../../api/api.ts";
import { projectsQuery } from "../../api/queries.ts";
import { useLive } from "../../live/use-live.ts";
import { useShortcuts } from "../../shortcuts/listen.ts";
import { useOffer } from "../../shortcuts/use-offer.ts";
import { useAppStore } from "../../store/app-store.ts";
import { later } from "../ui/later.tsx";
import { Header } from "./header.tsx";
import { LiveBanner } from "./live-banner.tsx";
import { LoginNeeded } from "./login-needed.tsx";
import { useAppliedTheme, useTheme } from "./use-theme.ts";

const Palette = later("the commands", async () => (await import("./palette.tsx")).default);
const ShortcutSheet = later("the keys", async () => (await import("./shortcut-sheet.tsx")).default);
const Tour = later("the tour", async () => (await import("./tour.tsx")).default);

/** Loads what keys open. */
export const loadOverlays = () => Promise.all([Palette.preload(), ShortcutSheet.preload()]);

/** What is around every screen. */
export function Shell() {
  useAppliedTheme();
  useShortcuts();
  useLive();
  const theme = useTheme();
  const { error } = useQuery(projectsQuery);
  const toured = useAppStore((store) => store.toured);
  const [over, setOver] = useState<"palette" | "sheet" | null>(null);
  const close = () => setOver(null);
  useShellActions(setOver);
  if (error instanceof ApiProblem && error.code === "unauthorised") return <LoginNeeded />;
  return (
    <div className="flex h-full flex-col">
      <Header onPalette={() => setOver("palette")} />
      <LiveBanner />
      <main className="min-h-0 flex-1">
        <Outlet />
      </main>
      {/* They lie over the page; what stands here is only that one of them is still loaded, or why not. */}
      <div className="fixed inset-x-0 bottom-0 z-40 mx-auto w-fit bg-panel">
        {over === "palette" ? <Palette onClose={close} /> : null}
        {over === "sheet" ? <ShortcutSheet onClose={close} /> : null}
        {toured ? null : <Tour />}
      </div>
      <Toaster theme={theme} position="bottom-right" closeButton />
    </div>
  );
}

function useShellActions(setOver: (over: "palette" | "sheet") => void): void {
  const navigate = useNavigate();
  const { project } = useParams({ strict: false });
  const theme = useTheme();
  const setTheme = useAppStore((store) => store.setTheme);
  const go = (to: "/p/$project" | "/p/$project/analytics" | "/p/$project/settings") => () => {
    if (project !== undefined) void navigate({ to, params: { project } });
  };
  const blocked = project === undefined ? "no project is open" : undefined;
  useOffer([
    {
      id: "palette",
      title: "Open the command palette",
      group: "Everywhere",
      key: "mod+k",
      run: () => setOver("palette"),
    },
    { id: "keys", title: "Show keyboard shortcuts", group: "Everywhere", key: "?", run: () => setOver("sheet") },
    {
      id: "theme",
      title: theme === "dark" ? "Use the light theme" : "Use the dark theme",
      group: "Everywhere",
      key: "shift+t",
      run: () => setTheme(theme === "dark" ? "light" : "dark"),
    },
    { id: "go-board", title: "Go to the board", group: "Go to", key: "shift+b", blocked, run: go("/p/$project") },
    {
      id: "go-analytics",
      title: "Go to analytics",
      group: "Go to",
      key: "shift+a",
      blocked,
      run: go("/p/$project/analytics"),
    },
    { id: "go-settings", title: "Go to settings", group: "Go to", key: ",", blocked, run: go("/p/$project/settings") },
  ]);
}

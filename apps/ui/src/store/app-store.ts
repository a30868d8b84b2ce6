import { create } from "zustand";
import { persist } from "zustand/middleware";

type Theme = "system" | "dark" | "light";

interface AppStore {
  theme: Theme;
  /** Keys that the person chose, by the id of the action. */
  keys: Readonly<Record<string, string>>;
  /** The project that was open last. */
  project: string | null;
  /** The address that somebody wanted who was not logged in. */
  wanted: string | null;
  /** Whether the tour of the first visit is done. */
  toured: boolean;
  desktopNotices: boolean;
  /** Items that no desktop notice tells about, as `project/item`. */
  muted: readonly string[];
  diffLayout: "unified" | "split";
  setTheme(theme: Theme): void;
  setKey(action: string, key: string | null): void;
  openProject(project: string): void;
  setWanted(address: string | null): void;
  endTour(): void;
  setDesktopNotices(on: boolean): void;
  setMuted(item: string, isMuted: boolean): void;
  setDiffLayout(layout: "unified" | "split"): void;
}

/** What this browser remembers about the person who sits at it; nothing of a project's truth. */
export const useAppStore = create<AppStore>()(
  persist(
    (set) => ({
      theme: "system",
      keys: {},
      project: null,
      wanted: null,
      toured: false,
      desktopNotices: false,
      muted: [],
      diffLayout: "unified",
      setTheme: (theme) => set({ theme }),
      setKey: (action, key) =>
        set(({ keys: { [action]: _, ...rest } }) => ({ keys: key === null ? rest : { ...rest, [action]: key } })),
      openProject: (project) => set({ project }),
      setWanted: (wanted) => set({ wanted }),
      endTour: () => set({ toured: true }),
      setDesktopNotices: (desktopNotices) => set({ desktopNotices }),
      setMuted: (item, isMuted) =>
        set(({ muted }) => ({ muted: [...muted.filter((one) => one !== item), ...(isMuted ? [item] : [])] })),
      setDiffLayout: (diffLayout) => set({ diffLayout }),
    }),
    { name: "anneal" },
  ),
);

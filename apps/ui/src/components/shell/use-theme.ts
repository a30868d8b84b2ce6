import { useEffect, useSyncExternalStore } from "react";
import { useAppStore } from "../../store/app-store.ts";

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

/** The theme in force: the person's choice, else the system's. */
export function useTheme(): "dark" | "light" {
  const chosen = useAppStore(({ theme }) => theme);
  const systemDark = useSyncExternalStore(
    (changed) => {
      prefersDark.addEventListener("change", changed);
      return () => prefersDark.removeEventListener("change", changed);
    },
    () => prefersDark.matches,
  );
  return chosen === "system" ? (systemDark ? "dark" : "light") : chosen;
}

/** Puts the theme on the page. */
export function useAppliedTheme(): void {
  const theme = useTheme();
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
}

import { useEffect } from "react";
import { api } from "../../api/api.ts";
import { useAppStore } from "../../store/app-store.ts";

/** What somebody sees who came without the link; who comes back by one is led to where this was. */
export function LoginNeeded() {
  const setWanted = useAppStore((store) => store.setWanted);
  useEffect(() => {
    const { pathname, search, hash } = window.location;
    if (pathname !== "/") setWanted(`${pathname}${search}${hash}`);
  }, [setWanted]);
  useEffect(() => {
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return (
    <main className="flex h-full flex-col items-center justify-center gap-3 p-8 text-center">
      <img src="/icon.svg" alt="" className="size-10" />
      <h1 className="text-lg font-semibold">Not logged in</h1>
      <p className="max-w-md text-sm text-muted">
        Open the link that the server printed when it started. It works once;{" "}
        <code className="font-mono">anneal serve</code> prints a new one at every start, and{" "}
        <code className="font-mono">anneal serve --open</code> opens it in your browser. Running loops are not affected.
      </p>
    </main>
  );
}

/** Somebody may have come in by the link in another tab: then this one begins anew where it is. */
function look(): void {
  api.get("/api/projects").then(
    () => window.location.reload(),
    () => {},
  );
}

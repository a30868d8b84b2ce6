import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from "react";
import { useConnection } from "../../api/connection.ts";
import { type Code, codeOf } from "./code.ts";
import { Failed, Loading } from "./state.tsx";

/**
 * A part of the page whose code is loaded when it is needed. Where that fails it says so in its place, and is tried
 * again by itself once the server is back: the rest of the page stays.
 */
export function later<P extends object>(
  what: string,
  load: () => Promise<ComponentType<P>>,
  /** The heading of what is a screen of its own; it has one, too, before its code is there. */
  heading?: string,
): ((props: P) => ReactNode) & { preload: () => Promise<void> } {
  const code = codeOf(load);
  return Object.assign((props: P) => <Part {...{ what, code, heading, props }} />, { preload: code.fetch });
}

interface PartProps<P> {
  what: string;
  code: Code<ComponentType<P>>;
  heading: string | undefined;
  props: P;
}

function Part<P extends object>({ what, code, heading, props }: PartProps<P>) {
  const { loaded: Loaded, error, failures } = useSyncExternalStore(code.subscribe, code.now);
  const isLive = useFetched(code);
  if (Loaded !== null) return <Loaded {...props} />;
  // A server that answers and still does not have it serves newer pages than this one.
  const isOld = isLive && failures > 1;
  const retry = () => (isOld ? window.location.reload() : void code.fetch());
  return (
    <>
      {heading === undefined ? null : <h1 className="sr-only">{heading}</h1>}
      {error === null ? <Loading what={what} /> : <Failed what={what} error={error} onRetry={retry} />}
    </>
  );
}

/** Fetches the code when it is first needed, and again whenever the connection is back. Tells whether there is one. */
function useFetched(code: Code<unknown>): boolean {
  const isLive = useConnection(({ state }) => state === "live");
  useEffect(() => {
    if (isLive || code.now().error === null) void code.fetch();
  }, [code, isLive]);
  return isLive;
}

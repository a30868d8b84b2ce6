import { useConnection } from "../api/connection.ts";
import { queries } from "../api/query-client.ts";

const LOOK_MS = 500;

/** Does something once the screen has what it needs and the browser has nothing else to do. */
export function whenIdle(act: () => void): void {
  const isBusy = useConnection.getState().state !== "live" || queries.isFetching() > 0;
  if (isBusy) setTimeout(whenIdle, LOOK_MS, act);
  else if ("requestIdleCallback" in window) requestIdleCallback(act);
  else act();
}

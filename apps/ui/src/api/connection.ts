import { create } from "zustand";

/** How the stream of events stands. */
export interface StreamConnection {
  state: "connecting" | "live" | "lost";
  /** Since when it is lost, in epoch milliseconds. */
  lostAt: number | null;
  /** The last event that was told, of any project. */
  seq: number;
  /** How many events the last reconnection brought; null before there was one, and once it was shown. */
  replayed: number | null;
}

/** Said of whatever would ask something of a server that is away. It is not kept for later either. */
const NOT_NOW = "No connection to the server: nothing was sent.";

export const useConnection = create<StreamConnection>()(() => ({
  state: "connecting",
  lostAt: null,
  seq: 0,
  replayed: null,
}));

/** Why what asks something of the server cannot be done now. */
export function whyNot(): string | undefined {
  return useConnection.getState().state === "lost" ? NOT_NOW : undefined;
}

/** The same, for as long as it is so. */
export function useWhyNot(acts: boolean): string | undefined {
  const isLost = useConnection(({ state }) => state === "lost");
  return acts && isLost ? NOT_NOW : undefined;
}

import { create } from "zustand";

/** How the stream of events stands. */
export interface Connection {
  state: "connecting" | "live" | "lost";
  /** Since when it is lost, in epoch milliseconds. */
  lostAt: number | null;
  /** The last event that was told, of any project. */
  seq: number;
  /** How many events the last reconnection brought; null before there was one, and once it was shown. */
  replayed: number | null;
}

export const useConnection = create<Connection>()(() => ({
  state: "connecting",
  lostAt: null,
  seq: 0,
  replayed: null,
}));

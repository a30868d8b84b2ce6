import { type EventStream, events, type StreamState } from "@anneal/client/browser";
import { useEffect } from "react";
import { send } from "../api/api.ts";
import { useConnection } from "../api/connection.ts";
import { projectsQuery } from "../api/queries.ts";
import { queries } from "../api/query-client.ts";
import { freshness } from "./freshness.ts";
import { notices, tellTrouble } from "./notices.ts";

/** Follows the stream of events for as long as the page is open. */
export function useLive(): void {
  useEffect(() => {
    const fresh = freshness(queries);
    const stream: EventStream = events(send, {
      onFrame(frame) {
        useConnection.setState({ seq: frame.seq });
        fresh.tell(frame);
        notices(frame);
      },
      onSettings: () => fresh.settings(),
      onItems: ({ project }) => fresh.tell({ project, loop: "" }),
      onTrouble(trouble) {
        fresh.tell({ ...trouble, loop: "" });
        tellTrouble(trouble);
      },
      onState: (state) => onState(state),
    });
    return () => {
      stream.close();
      fresh.stop();
    };
  }, []);
}

function onState(state: StreamState): void {
  const { state: before, lostAt } = useConnection.getState();
  switch (state.kind) {
    case "live":
      if (before === "lost") {
        useConnection.setState({ state: "live", lostAt: null, replayed: state.replayed });
        // Settings and agents have no events of the log: after a gap everything is looked at again.
        void queries.invalidateQueries();
      } else useConnection.setState({ state: "live", lostAt: null });
      return;
    case "waiting":
      useConnection.setState({ state: "lost", lostAt: lostAt ?? Date.now(), replayed: null });
      return;
    case "ended":
      if (state.why === "closed") return;
      useConnection.setState({ state: "lost", lostAt: lostAt ?? Date.now(), replayed: null });
      // Asked again, the server says that nobody is logged in, and the page says how to come back.
      if (state.why === "logged-out") void queries.invalidateQueries(projectsQuery);
      // A log that is not the one we read: nothing that the page knows can be trusted.
      if (state.why === "wrong-cursor") window.location.reload();
      return;
    default:
      return;
  }
}

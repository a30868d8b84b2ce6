import { useEffect, useState } from "react";
import { useConnection } from "../../api/connection.ts";
import { counted } from "../ui/numbers.ts";

const SHOWN_MS = 4_000;

/** Says when nothing on the screen can be trusted to be the latest, and when it can again. */
export function LiveBanner() {
  const { state, lostAt, replayed } = useConnection();
  useEffect(() => {
    if (replayed === null) return;
    const timer = setTimeout(() => useConnection.setState({ replayed: null }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [replayed]);
  if (state === "lost")
    return (
      <div role="status" className="bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">
        Disconnected <Since at={lostAt} />. What you see may be out of date, and nothing that you do is sent; the page
        reconnects by itself.
      </div>
    );
  if (replayed === null) return null;
  return (
    <div role="status" className="bg-good-soft px-4 py-1.5 text-center text-sm text-good">
      Connected again: {counted(replayed, "event")} loaded.
    </div>
  );
}

function Since({ at }: { at: number | null }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span>{at === null ? "" : `${Math.max(0, Math.round((now - at) / 1_000))} s ago`}</span>;
}

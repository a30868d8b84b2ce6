import { useQuery } from "@tanstack/react-query";
import { Navigate, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { projectsQuery } from "../../api/queries.ts";
import { useAppStore } from "../../store/app-store.ts";
import { ownAddress } from "../../store/own-address.ts";
import { Empty, Failed, Loading } from "../ui/state.tsx";

/** Leads to the address that was wanted before the login, else to the project that was open last, else to the first. */
export function NoProject() {
  const { data: projects, error, refetch } = useQuery(projectsQuery);
  // It is forgotten on the way there: this screen must not change its mind before it is left.
  const [wanted] = useState(wantedAddress);
  const last = useAppStore(({ project }) => project);
  if (error !== null) return <Failed what="the projects" error={error} onRetry={() => void refetch()} />;
  if (projects === undefined) return <Loading what="the projects" />;
  if (wanted !== null) return <Onward to={wanted} />;
  const project = projects.find(({ id }) => id === last) ?? projects[0];
  if (project !== undefined) return <Navigate to="/p/$project" params={{ project: project.id }} replace />;
  return (
    <Empty title="This server serves no project.">
      Start the server with a project: <code className="font-mono">anneal serve --project DIR</code>
    </Empty>
  );
}

/** Null where nothing was wanted, or something elsewhere. */
function wantedAddress(): string | null {
  const { wanted } = useAppStore.getState();
  const own = wanted === null ? null : ownAddress(wanted, window.location.origin);
  return own === "/" ? null : own;
}

function Onward({ to }: { to: string }) {
  const { history } = useRouter();
  const setWanted = useAppStore((store) => store.setWanted);
  useEffect(() => {
    setWanted(null);
    history.replace(to);
  }, [history, setWanted, to]);
  return <Loading what="the page" />;
}

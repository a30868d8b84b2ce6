import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { projectsQuery } from "../../api/queries.ts";
import { useAppStore } from "../../store/app-store.ts";
import { Empty, Failed, Loading } from "../ui/state.tsx";

/** Leads to the project that was open last, else to the first. */
export function NoProject() {
  const { data: projects, error, refetch } = useQuery(projectsQuery);
  const last = useAppStore(({ project }) => project);
  if (error !== null) return <Failed what="the projects" error={error} onRetry={() => void refetch()} />;
  if (projects === undefined) return <Loading what="the projects" />;
  const project = projects.find(({ id }) => id === last) ?? projects[0];
  if (project !== undefined) return <Navigate to="/p/$project" params={{ project: project.id }} replace />;
  return (
    <Empty title="The server has no project.">
      Start it with one: <code className="font-mono">anneal serve --project DIR</code>
    </Empty>
  );
}

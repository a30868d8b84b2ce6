import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useConnection } from "../../api/connection.ts";
import { itemsQuery, projectsQuery } from "../../api/queries.ts";
import { shownKey } from "../../shortcuts/keys.ts";
import { Kbd } from "../ui/kbd.tsx";
import { money } from "../ui/numbers.ts";
import { IS_MAC } from "./platform.ts";

const PLACES = [
  { to: "/p/$project", title: "Board" },
  { to: "/p/$project/analytics", title: "Analytics" },
  { to: "/p/$project/settings", title: "Settings" },
] as const;

export function Header({ onPalette }: { onPalette: () => void }) {
  const { project } = useParams({ strict: false });
  return (
    <header className="flex min-h-11 shrink-0 items-center gap-x-3 border-b border-line bg-panel px-3 max-sm:flex-wrap max-sm:py-1.5">
      <Link to="/" className="flex items-center gap-2 font-semibold" aria-label="Anneal, home">
        <img src="/icon.svg" alt="" className="size-5" />
        <span className="hidden md:inline">Anneal</span>
      </Link>
      <ProjectChoice project={project} />
      {project === undefined ? null : (
        <nav aria-label="Main" className="flex gap-1 max-sm:order-last max-sm:w-full">
          {PLACES.map(({ to, title }) => (
            <Link
              key={to}
              to={to}
              params={{ project }}
              activeOptions={{ exact: to === "/p/$project", includeSearch: false }}
              className="rounded px-2 py-1 text-sm text-muted hover:bg-raised hover:text-ink data-[status=active]:bg-raised data-[status=active]:font-medium data-[status=active]:text-ink"
            >
              {title}
            </Link>
          ))}
        </nav>
      )}
      <button
        type="button"
        onClick={onPalette}
        className="ml-auto flex items-center gap-2 rounded-md border border-line px-2 py-1 text-sm text-muted hover:bg-raised"
      >
        <span className="hidden sm:inline">Commands</span>
        <Kbd keys={shownKey("mod+k", IS_MAC)} />
      </button>
      {project === undefined ? null : <Running project={project} />}
      <Live />
    </header>
  );
}

function ProjectChoice({ project }: { project: string | undefined }) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const navigate = useNavigate();
  if (projects.length === 0) return null;
  return (
    <select
      aria-label="Project"
      className="max-w-44 truncate rounded-md border border-line bg-panel px-2 py-1 text-sm"
      value={project ?? ""}
      onChange={({ target }) => void navigate({ to: "/p/$project", params: { project: target.value } })}
    >
      {project === undefined ? <option value="">Choose a project</option> : null}
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Running({ project }: { project: string }) {
  const { data: items } = useQuery(itemsQuery(project));
  if (items === undefined) return null;
  const loops = items.flatMap(({ loop }) => (loop === null ? [] : [loop]));
  const atWork = loops.filter(
    ({ stage }) => !["ended", "waiting-for-human", "awaiting-feedback"].includes(stage),
  ).length;
  const waiting = items.filter(({ needsYou }) => needsYou).length;
  const cost = loops.reduce((sum, { costUsd }) => sum + costUsd, 0);
  return (
    <p className="hidden items-center gap-2 text-xs whitespace-nowrap text-muted lg:flex">
      <span>{atWork} running</span>
      <span className={waiting === 0 ? "" : "font-medium text-accent"}>{waiting} need you</span>
      <span>{money(cost)}</span>
    </p>
  );
}

function Live() {
  const { state, seq } = useConnection();
  const look = { connecting: "bg-warn", live: "bg-good", lost: "bg-bad" }[state];
  return (
    <span className="flex items-center gap-1.5 text-xs whitespace-nowrap text-muted" title={`Event ${seq}`}>
      <span className={`size-2 rounded-full ${look}`} />
      {state}
    </span>
  );
}

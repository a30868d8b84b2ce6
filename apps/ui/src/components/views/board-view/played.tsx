import { useQuery } from "@tanstack/react-query";
import { effectiveSettingsQuery } from "../../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";

/** Says so where nobody thinks: agents that a script plays, as in the sample project. */
export function Played({ project }: { project: string }) {
  const { data } = useQuery(effectiveSettingsQuery(project));
  const played = data?.values.some(
    ({ path, value }) => path.startsWith("agents.") && /^(scripted|replay)(:|$)/.test(String(value)),
  );
  if (played !== true) return null;
  return (
    <Badge tone="calm" title="The loops are real, but the agents follow a script and use no model.">
      scripted agents
    </Badge>
  );
}

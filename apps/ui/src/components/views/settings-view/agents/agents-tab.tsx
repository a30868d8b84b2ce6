import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../../../api/queries.ts";
import { Button } from "../../../ui/button.tsx";
import { Failed, Loading } from "../../../ui/state.tsx";
import { Section } from "../parts/section.tsx";
import type { TabProps } from "../parts/use-settings.ts";
import { AgentCard } from "./agent-card.tsx";

/** Who can play a part on this machine. */
export default function AgentsTab({ settings }: TabProps) {
  const { project } = settings.place;
  const agents = useQuery(agentsQuery(project));
  if (agents.error !== null)
    return <Failed what="the agents" error={agents.error} onRetry={() => void agents.refetch()} />;
  if (agents.data === undefined) return <Loading what="the agents (checking each program's version)" />;
  const ready = agents.data.agents.filter(({ program }) => program?.state !== "missing");
  const missing = agents.data.agents.filter(({ program }) => program?.state === "missing");
  return (
    <>
      <div className="mb-3 flex items-center justify-between gap-3">
        <p className="text-sm text-muted">
          Programs and keys are set in the global settings under agentSetup, never by a repository.
        </p>
        <Button
          acts
          disabled={agents.isFetching}
          onClick={() => void agents.refetch()}
          title="Check every program's version and sign-in again"
        >
          {agents.isFetching ? "Looking…" : "Look again"}
        </Button>
      </div>
      <Section title="On this machine">
        {ready.map((agent) => (
          <AgentCard key={agent.name} project={project} agent={agent} />
        ))}
        {ready.length === 0 ? <p className="py-3 text-sm text-muted">No agent was found.</p> : null}
      </Section>
      {missing.length === 0 ? null : (
        <Section title="Not installed">
          {missing.map((agent) => (
            <AgentCard key={agent.name} project={project} agent={agent} />
          ))}
        </Section>
      )}
      {agents.data.reviewers.length === 0 ? null : (
        <Section title="Other reviewers" about="These reviewers are not agents and need no program.">
          {agents.data.reviewers.map(({ name, about }) => (
            <div key={name} className="border-b border-line py-2 text-sm last:border-0">
              <span className="font-mono font-medium">{name}</span>
              <p className="text-muted">{about}</p>
            </div>
          ))}
        </Section>
      )}
    </>
  );
}

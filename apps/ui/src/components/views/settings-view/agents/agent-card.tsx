import type { ApiAgent, ApiAgentTest } from "@anneal/types";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../../../api/api.ts";
import { at } from "../../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { clock, money } from "../../../ui/numbers.ts";
import { capabilityWords } from "./capabilities.ts";

export function AgentCard({ project, agent }: { project: string; agent: ApiAgent }) {
  const { name, about, plays, program, signedIn, capabilities, advice } = agent;
  const test = useMutation({
    mutationFn: () => api.send<ApiAgentTest>("POST", at(project, `agents/${encodeURIComponent(name)}/test`), {}),
  });
  const isMissing = program?.state === "missing";
  return (
    <article aria-label={name} className="flex flex-col gap-1.5 border-b border-line py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-mono text-sm font-medium">{name}</h3>
        {program === null ? <Badge tone="good">needs no program</Badge> : null}
        {program?.state === "found" ? <Badge tone="good">{program.version ?? "version unknown"}</Badge> : null}
        {isMissing ? <Badge tone="bad">{program.name} not found</Badge> : null}
        {signedIn === "yes" ? <Badge tone="good">signed in</Badge> : null}
        {signedIn === "no" ? <Badge tone="warn">not signed in</Badge> : null}
        {signedIn === "unknown" && !isMissing && program !== null ? <Badge>sign-in unknown</Badge> : null}
        <Badge>{plays}</Badge>
        <Button
          acts
          className="ml-auto"
          disabled={isMissing || test.isPending}
          onClick={() => test.mutate()}
          aria-label={`Test ${name}`}
          title="Ask the agent's model one short question. This may cost a fraction of a cent and take up to three minutes"
        >
          {test.isPending ? "Asking…" : "Test"}
        </Button>
      </div>
      <p className="text-sm text-muted">{about}</p>
      {capabilities === null ? null : (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          {capabilityWords(capabilities).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {advice === null ? null : <p className="text-sm text-warn">{advice}</p>}
      <div role="status" className="empty:hidden">
        {test.error === null ? null : <p className="text-sm text-bad">{test.error.message}</p>}
        {test.data === undefined ? null : <TestResult test={test.data} />}
      </div>
    </article>
  );
}

function TestResult({ test }: { test: ApiAgentTest }) {
  const { understood, status, answer, expected, error, model, ms, costUsd } = test;
  const facts = [
    model ?? "model not reported",
    clock(ms),
    costUsd === null ? "cost not reported" : costUsd < 0.01 ? "under a cent" : money(costUsd),
  ];
  return (
    <div className={`rounded-md p-2 text-sm ${understood ? "bg-good-soft" : "bg-bad-soft"}`}>
      <p className={`font-medium ${understood ? "text-good" : "text-bad"}`}>
        {understood ? "It answered as asked." : `The agent did not answer as asked: ${error ?? status}`}
      </p>
      <p className="text-xs">{facts.join(" · ")}</p>
      {understood ? null : (
        <p className="mt-1 text-xs">
          Wanted “{expected}”, got {answer === "" ? "nothing" : `“${answer.slice(0, 300)}”`}
        </p>
      )}
    </div>
  );
}

import type { ApiNotifyChannel, ApiNotifyTest } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api } from "../../../../api/api.ts";
import { at, notificationsQuery } from "../../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Failed, Loading } from "../../../ui/state.tsx";
import { useBusy } from "../../../ui/use-busy.ts";
import { Section } from "../parts/section.tsx";

const NAMES: Record<ApiNotifyChannel["channel"], string> = {
  github: "Pull request",
  slack: "Slack",
  email: "E-mail",
  desktop: "Desktop",
  command: "Command",
  webhook: "Webhook",
};

/** Every channel, how it stands, and a test. */
export function Channels({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(notificationsQuery(project));
  if (error !== null) return <Failed what="the channels" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the channels" />;
  return (
    <Section title="Channels" about="Which of the first three say that a change is ready is chosen in the Loop tab.">
      {data.problems.map((problem) => (
        <p key={problem} role="alert" className="border-b border-line py-2 text-sm text-bad">
          {problem}
        </p>
      ))}
      {data.channels.map((channel) => (
        <Channel key={channel.channel} project={project} channel={channel} />
      ))}
    </Section>
  );
}

function Channel({ project, channel: one }: { project: string; channel: ApiNotifyChannel }) {
  const { busy, run } = useBusy();
  const queries = useQueryClient();
  const { channel, configured, missing, tells, waiting, last } = one;
  const name = NAMES[channel];
  const test = async () => {
    try {
      const { result, why } = await api.send<ApiNotifyTest>("POST", at(project, "notifications/test"), { channel });
      const said = why === null ? "" : `: ${why}`;
      if (result === "sent") toast.success(`${name}: the test was sent`);
      else if (result === "checked") toast.success(`${name} works${said}`);
      else
        toast.error(`${name}: ${result === "unclear" ? "the test may have arrived" : "the test was not sent"}${said}`);
    } catch (error) {
      toast.error(errorMessage(error));
    }
    await queries.invalidateQueries({ queryKey: notificationsQuery(project).queryKey });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-sm font-medium">
          {name}
          <Badge tone={configured ? "accent" : "neutral"}>{configured ? "set up" : "not set up"}</Badge>
        </p>
        <p className="text-xs text-muted">{configured ? toldWords(tells) : missing}</p>
        {last === null ? null : <p className="text-xs text-muted">{lastWords(last)}</p>}
        {waiting === 0 ? null : <p className="text-xs text-muted">{waiting} waiting</p>}
      </div>
      <Button acts disabled={!configured || busy} onClick={() => void run(test)}>
        {busy ? "Sending…" : "Send test"}
        <span className="sr-only"> over {name}</span>
      </Button>
    </div>
  );
}

const TOLD = { ready: "ready for review", "needs-person": "waits for a person", failed: "failed" } as const;

function toldWords(tells: ApiNotifyChannel["tells"]): string {
  return tells.length === 0 ? "Tells nothing." : `Tells: ${tells.map((kind) => TOLD[kind]).join(", ")}.`;
}

function lastWords({ title, state, at: when, why }: NonNullable<ApiNotifyChannel["last"]>): string {
  return `Last: “${title}”, ${state}, ${new Date(when).toLocaleString()}${why === null ? "" : ` (${why})`}`;
}

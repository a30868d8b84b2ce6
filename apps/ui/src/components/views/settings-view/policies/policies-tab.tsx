import type { ApiPolicy } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { policiesQuery } from "../../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { INPUT } from "../../../ui/field.tsx";
import { Failed, Loading } from "../../../ui/state.tsx";
import { POLICIES } from "../model/all-settings.ts";
import { read } from "../model/read.ts";
import type { TabProps } from "../parts/use-settings.ts";
import { FACETS } from "./describe.ts";
import { OwnPolicies } from "./own-policies.tsx";

/** The ways to run a loop side by side, and the person's own. */
export default function PoliciesTab({ settings }: TabProps) {
  const policies = useQuery(policiesQuery(settings.place.project));
  const [shown, setShown] = useState<ApiPolicy | null>(null);
  if (policies.error !== null)
    return <Failed what="the policies" error={policies.error} onRetry={() => void policies.refetch()} />;
  if (policies.data === undefined) return <Loading what="the policies" />;
  const field = settings.field(POLICIES);
  const copy = ({ policy }: ApiPolicy) => {
    const now = read(POLICIES.control, field.raw);
    // Both files' policies hold, so the other file's are not copied along.
    const own: unknown[] = field.isOwn && now.ok && Array.isArray(now.value) ? now.value : [];
    field.set(
      JSON.stringify([...own, { ...policy, name: `own-${policy.name}`, title: `My ${policy.title}` }], null, 2),
    );
    setShown(null);
  };
  return (
    <>
      <p className="mb-3 text-sm text-muted">
        New loops use these values, with the limits of the settings. A running loop keeps its own.
      </p>
      {policies.data.problems.length === 0 ? null : (
        <div role="alert" className="mb-3 rounded-md bg-bad-soft p-3 text-sm text-bad">
          {policies.data.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      <PolicyTable policies={policies.data.policies} onShow={setShown} />
      <OwnPolicies settings={settings} field={field} />
      {shown === null ? null : (
        <Dialog title={shown.policy.title} open onClose={() => setShown(null)} wide>
          <textarea
            aria-label={`${shown.name} as JSON`}
            className={`${INPUT} h-[48vh] w-full shrink-0 bg-raised font-mono text-xs`}
            readOnly
            value={JSON.stringify(shown.policy, null, 2)}
          />
          <div className="flex items-center justify-end gap-2">
            <p className="mr-auto text-xs text-muted">You can edit the copy; nothing changes until you save.</p>
            <Button onClick={() => setShown(null)}>Close</Button>
            <Button look="main" disabled={settings.locked !== null} onClick={() => copy(shown)}>
              Copy into the {settings.place.scope} policies
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

const FROM = { "built-in": "neutral", project: "accent", global: "calm" } as const;

function PolicyTable({ policies, onShow }: { policies: readonly ApiPolicy[]; onShow: (policy: ApiPolicy) => void }) {
  return (
    <div className="relative overflow-x-auto rounded-md border border-line bg-panel">
      <table className="w-full table-fixed text-left text-xs" style={{ minWidth: `${7 + policies.length * 9.75}rem` }}>
        <caption className="sr-only">What each policy does</caption>
        <thead>
          <tr className="border-b border-line align-top">
            <th scope="col" className="w-28 p-2 font-medium text-muted">
              Policy
            </th>
            {policies.map((one) => (
              <th key={`${one.from} ${one.name}`} scope="col" className="p-2">
                <span className="font-mono text-sm font-medium">{one.name}</span>
                <div className="my-1 flex flex-wrap gap-1">
                  <Badge tone={FROM[one.from]}>{one.from}</Badge>
                  {one.shadowed ? (
                    <Badge tone="warn" title="Not used: another policy of the same name overrides it">
                      not used
                    </Badge>
                  ) : null}
                </div>
                <p className="mb-1 font-normal text-muted">{one.policy.title}</p>
                <button
                  type="button"
                  className="font-medium text-accent underline-offset-2 hover:underline"
                  onClick={() => onShow(one)}
                >
                  As JSON<span className="sr-only">: {one.name}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FACETS.map(({ name, about }) => (
            <tr key={name} className="border-b border-line align-top last:border-0">
              <th scope="row" className="p-2 font-medium text-muted">
                {name}
              </th>
              {policies.map((one) => (
                <td key={`${one.from} ${one.name}`} className="p-2">
                  {about(one.policy)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

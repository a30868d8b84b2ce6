import { checksText } from "@anneal/core/show";
import type { ApiCertificate } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { certificateQuery } from "../../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { counted } from "../../../ui/numbers.ts";
import { Failed, Loading } from "../../../ui/state.tsx";

/** What was reviewed, by whom, with what result, and whether that holds for what the branch is now. */
export function CertificatePane({ project, loop }: { project: string; loop: string }) {
  const { data: one, error, refetch } = useQuery(certificateQuery(project, loop));
  if (one === undefined && error !== null)
    return <Failed what="the certificate" error={error} onRetry={() => void refetch()} />;
  if (one === undefined) return <Loading what="the certificate" />;
  const facts: [string, string][] = [
    ["Verdict", `${one.verdict.result}: ${one.verdict.reason}`],
    ["Requirements", one.verdict.requirementsJudged ? "judged" : "not judged"],
    ["Branch", one.branch ?? "–"],
    ["Base", one.base],
    ["Head", one.head ?? "–"],
    ["Policy", `${one.policy.name} (${one.policy.because})`],
    [
      "Agents",
      Object.entries(one.agents)
        .map(([role, agent]) => `${role}: ${agent}`)
        .join(", "),
    ],
    ["Checks", checksText(one.checks)],
    [
      "Seen",
      one.coverage === null
        ? "–"
        : `${counted(one.coverage.reviewed.length, "file")}, not seen ${one.coverage.skipped.length}`,
    ],
    ["Rounds", String(one.rounds.length)],
  ];
  return (
    <div className="flex h-full flex-col gap-4 overflow-y-auto p-4 text-sm">
      {one.notJudged.map((what) => (
        <p key={what} className="font-semibold text-warn">
          {what}
        </p>
      ))}
      {(one.secrets ?? []).map(({ fingerprint, said }) => (
        <p key={fingerprint} className="text-bad">
          {said}
        </p>
      ))}
      <p className="flex items-center gap-2">
        <Badge tone={one.holds ? "good" : "warn"}>{one.holds ? "holds" : "does not hold"}</Badge>
        {one.holds
          ? "The verdict is a pass, and the branch is still at the reviewed head."
          : "The verdict is not a pass, or the branch is no longer at the reviewed head."}
      </p>
      <dl className="grid grid-cols-[8rem_1fr] gap-x-3 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {one.accepted.length === 0 ? null : (
        <section>
          <h2 className="mb-1 text-xs font-semibold text-muted">Accepted findings</h2>
          <ul className="flex flex-col gap-1">
            {one.accepted.map(({ fingerprint, severity, title, file, line, how, by, reason }) => (
              <li key={fingerprint} className="break-words">
                <Badge>{severity}</Badge> {title}{" "}
                <span className="text-muted">
                  {placeOf(file, line)}
                  {HOW[how]}
                  {by === null ? "" : ` by ${by}`}
                  {reason === null ? "" : `: ${reason}`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {one.decisions.length === 0 ? null : (
        <section>
          <h2 className="mb-1 text-xs font-semibold text-muted">Decisions by people</h2>
          <ul className="flex flex-col gap-1">
            {one.decisions.map(({ at, by, what, note }) => (
              <li key={`${at} ${what}`}>
                {at} · {by}: {what}
                {note === null ? "" : ` (${note})`}
              </li>
            ))}
          </ul>
        </section>
      )}
      <a
        className="text-accent underline"
        download={`certificate-${one.item.id}.json`}
        href={`data:application/json,${encodeURIComponent(JSON.stringify(one, null, 2))}`}
      >
        Download as JSON
      </a>
    </div>
  );
}

type Accepted = ApiCertificate["accepted"][number];

const HOW: Readonly<Record<Accepted["how"], string>> = {
  dismissed: "dismissed",
  "accepted-risk": "risk accepted",
  deferred: "put off",
  "with-the-change": "accepted with the change",
  "below-threshold": "does not block under this policy",
  "not-confirmed": "not confirmed",
};

function placeOf(file: string | null, line: number | null): string {
  return file === null ? "" : `${file}${line === null ? "" : `:${line}`}, `;
}

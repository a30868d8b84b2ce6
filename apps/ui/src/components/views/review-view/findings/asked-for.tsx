import type { ApiPullRequest } from "@anneal/types";
import { Link } from "@tanstack/react-router";
import { Badge } from "../../../ui/badge.tsx";
import { SEVERITY_TONES } from "./severity.ts";

/** Something that people or checks of the pull request ask for, with the way to its line, or else to the pull request. */
export function AskedFor({
  project,
  item,
  one: { author, severity, text, file, line },
}: {
  project: string;
  item: string;
  one: ApiPullRequest["requests"][number];
}) {
  return (
    <li className="border-b border-line">
      <Link
        to="/p/$project/review/$item"
        params={{ project, item }}
        search={({ loop }) => ({
          ...(loop === undefined ? {} : { loop }),
          ...(file === null ? { tab: "pull-request" } : { tab: "diff", file }),
          ...(file === null || line === null ? {} : { line }),
        })}
        replace
        className="flex flex-col items-start gap-1 px-3 py-2 hover:bg-raised"
      >
        <span className="flex items-start gap-1.5">
          <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>
          <span className="line-clamp-3 text-sm font-medium wrap-anywhere">{text}</span>
        </span>
        <span className="text-xs text-muted">
          {author}
          {file === null ? null : (
            <span className="font-mono break-all">
              {" "}
              {file}
              {line === null ? "" : `:${line}`}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

import { useQuery } from "@tanstack/react-query";
import { fileMatrixQuery } from "../../../../api/queries.ts";

interface MatrixProps {
  project: string;
  loop: string;
  viewed: ReadonlySet<string>;
  /** Whether there is something of the file to look at. */
  canMark: (path: string) => boolean;
  onViewed: (path: string) => void;
  onGo: (path: string) => void;
}

/** Which round touched which file, and what was found there. */
export function FileMatrix({ project, loop, viewed, canMark, onViewed, onGo }: MatrixProps) {
  const { data } = useQuery(fileMatrixQuery(project, loop));
  if (data === undefined || data.files.length === 0) return null;
  return (
    <details className="border-b border-line text-xs">
      <summary className="cursor-pointer px-3 py-1 text-muted">Files and rounds</summary>
      <div className="max-h-48 overflow-auto px-3 pb-2">
        <table>
          <thead className="text-left text-muted">
            <tr>
              <th className="pr-4 font-medium">File</th>
              {data.rounds.map(({ number }) => (
                <th key={number} className="px-2 font-medium">
                  Round {number}
                </th>
              ))}
              <th className="px-2 font-medium">Viewed</th>
            </tr>
          </thead>
          <tbody>
            {data.files.map(({ path, cells }) => (
              <tr key={path}>
                <td className="pr-4">
                  <button
                    type="button"
                    className="font-mono break-all text-accent hover:underline"
                    onClick={() => onGo(path)}
                  >
                    {path}
                  </button>
                </td>
                {cells.map((cell, index) => (
                  <td key={data.rounds[index]?.number} className="px-2 whitespace-nowrap">
                    {cell.changed ? (
                      <>
                        <span className="text-good">+{cell.added}</span>{" "}
                        <span className="text-bad">−{cell.removed}</span>
                      </>
                    ) : (
                      <span className="text-muted">·</span>
                    )}
                    {cell.findings === 0 ? null : <span className="text-bad"> ●{cell.findings}</span>}
                  </td>
                ))}
                <td className="px-2">
                  <input
                    type="checkbox"
                    aria-label={`${path} viewed`}
                    className="size-3.5 accent-accent"
                    checked={viewed.has(path)}
                    disabled={!canMark(path)}
                    onChange={() => onViewed(path)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

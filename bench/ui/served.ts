import { type RunningServer, serve } from "../../apps/server/src/index.ts";

/** The server on these projects with these pages, and the id of each project. */
export interface Served extends AsyncDisposable {
  server: RunningServer;
  ids: string[];
}

export async function served(roots: readonly string[], dataDir: string, pages: string): Promise<Served> {
  const options = { port: 0, projects: roots, dataDir, pages, requestsPerMinute: 10 ** 9 };
  const server = await serve({ ...options, onLine: () => {} });
  const answer = await fetch(`${server.url}/api/projects`, { headers: { "x-api-key": server.token } });
  const { projects } = (await answer.json()) as { projects: { id: string; root: string }[] };
  const ids = roots.map((root) => projects.find((one) => one.root === root)?.id ?? "");
  // The first look at a project reads its files.
  for (const id of ids)
    await (await fetch(`${server.url}/api/projects/${id}/items`, { headers: { "x-api-key": server.token } })).text();
  return { server, ids, [Symbol.asyncDispose]: () => server.close() };
}

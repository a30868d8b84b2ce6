import type { ServedProject } from "../projects/served-project.ts";

/** What a browser sees at the front door: what is served here, and where it is described. */
export function startPage(projects: readonly ServedProject[]): string {
  const rows = projects.map(
    ({ id, name, owned }) =>
      `<li><strong>${escaped(name)}</strong> <code>${escaped(id)}</code>${owned ? "" : " (another process does the work)"}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Anneal</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color-scheme: light dark; }
  code { font-size: .85em; opacity: .7; }
</style>
<h1>Anneal</h1>
<p>This server runs the review loops of ${projects.length === 1 ? "one project" : `${projects.length} projects`}:</p>
<ul>${rows.join("")}</ul>
<p><a href="/api/docs">All routes, to browse and to try</a></p>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

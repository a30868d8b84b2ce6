import type { ServedProject } from "../projects/served-project.ts";

/** What a browser sees at the front door: what is served here, and where it is described. */
export function startPage(projects: readonly ServedProject[]): string {
  const rows = projects.map(
    ({ id, name, owned }) =>
      `<li><strong>${escaped(name)}</strong> <code>${escaped(id)}</code>${owned ? "" : " (run by another process)"}</li>`,
  );
  return page(`<h1>Anneal</h1>
<p>This server runs the review loops of ${projects.length === 1 ? "one project" : `${projects.length} projects`}:</p>
<ul>${rows.join("")}</ul>
<p><a href="/api/docs">All routes, to browse and to try</a></p>`);
}

/** What a browser sees that comes by a link which does not let it in any more. */
export function linkUsedPage(): string {
  return page(`<h1>This link has expired</h1>
<p>A link works once, and for ten minutes. <code>anneal serve</code> prints a new one at every start and when you press Enter in its
terminal, and
<code>anneal serve --open</code> opens it in your browser. Running loops are not affected.</p>
<p><a href="/">To the board</a>, if this browser is logged in already</p>`);
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Anneal</title>
<link rel="icon" href="data:,">
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color-scheme: light dark; }
  code { font-size: .85em; opacity: .7; }
</style>
<main>
${body}
</main>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

/** Under these keys a JSON lock file says from where something comes, wherever they stand. */
const NPM_KEYS = ["resolved", "version", "from", "tarball"];

/** From where all that a lock file of npm names comes: hosts, and folders as they are written; null where it cannot be read. */
export function npmSources(text: string): string[] | null {
  try {
    const found = new Set<string>();
    collect(JSON.parse(text), found);
    return [...found];
  } catch {
    return null;
  }
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === "object") collect(inner, found);
    else if (typeof inner === "string" && NPM_KEYS.includes(key))
      for (const one of placesIn(key, inner)) found.add(one);
  }
}

/** What is `resolved` and no address is a folder. */
function placesIn(key: string, value: string): string[] {
  const places = placesOf(value);
  return places.length === 0 && key === "resolved" ? [value] : places;
}

const FOLDER = /\bfile:(?!\/\/)([^\s"'#,)}]+)/giu;

/** All places that a text names: hosts, and folders behind `file:`. */
export function placesOf(text: string): string[] {
  return [...hostsIn(text), ...[...text.matchAll(FOLDER)].map(([, folder = ""]) => folder)];
}

const ADDRESS =
  /(?:\b[a-z][a-z\d+.-]*:)?\/\/(?:[^@/\s"'\\]*@)?([^:/\s"'#?,)}\]\\]+)|\b[\w.-]+@([\w.-]+\.\w+):(?!\/\/)/giu;

/** All hosts that a text names in addresses, or as `git@host:path`. */
export function hostsIn(text: string): string[] {
  return [...text.matchAll(ADDRESS)].map(([, host, ssh]) => (host ?? ssh ?? "").toLowerCase());
}

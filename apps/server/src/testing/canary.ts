import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { World } from "./server-world.ts";

/** Things beside the projects that nobody may touch, and ways from inside a project that lead there. */
export function placeCanary({ folder, roots }: World): { state(): string[] } {
  const canary = join(folder, "canary");
  mkdirSync(join(canary, "features"), { recursive: true });
  writeFileSync(join(canary, "feature.json"), JSON.stringify({ id: "link", title: "SECRET-OF-THE-CANARY" }));
  writeFileSync(join(canary, "secret.txt"), "SECRET-OF-THE-CANARY\n");
  for (const root of roots) {
    symlinkSync(canary, join(root, ".automaker", "features", "link"));
    symlinkSync(join(canary, "secret.txt"), join(root, "secret-link.txt"));
  }
  const inside = new Set(roots);
  return { state: () => listing(folder, inside) };
}

/** Every file and folder with its size, time of change and content, but for the projects and what the server keeps. */
function listing(folder: string, but: ReadonlySet<string>): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (but.has(path)) return [name];
      // The workspaces of its loops.
      if (path.endsWith(".anneal") && but.has(path.slice(0, -".anneal".length))) return [];
      const stat = lstatSync(path);
      if (stat.isDirectory()) return [name, ...listing(path, but).map((one) => `${name}/${one}`)];
      return [`${name} ${stat.size} ${stat.mtimeMs} ${stat.isFile() ? readFileSync(path, "base64") : ""}`];
    });
}

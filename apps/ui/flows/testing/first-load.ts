import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** A file that a browser has to load, in bytes over the wire when it is compressed. */
export interface Loaded {
  file: string;
  gzipBytes: number;
}

/** All that built pages make a browser load before the board can show: what the page names, and what that imports. */
export function firstLoad(pages: string): Loaded[] {
  const page = readFileSync(join(pages, "index.html"), "utf8");
  const waiting = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = ""]) => file);
  const sizes = new Map<string, number>([["index.html", gzipSync(page).length]]);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (sizes.has(file)) continue;
    const text = readFileSync(join(pages, file), "utf8");
    sizes.set(file, gzipSync(text).length);
    if (file.endsWith(".js")) waiting.push(...importsOf(text).map((name) => `assets/${name}`));
  }
  return [...sizes].map(([file, gzipBytes]) => ({ file, gzipBytes }));
}

/** What a module cannot start without. What it loads later stands in brackets: `import("./a.js")`. */
export function importsOf(module: string): string[] {
  return [...module.matchAll(/(?:^|[;}\n])(?:import|export)\b[^"'`();]*["']\.\/([^"']+\.js)["']/g)].map(
    ([, name = ""]) => name,
  );
}

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CONFIGS = { ours: "apps/ui/vite.config.ts", baseline: "apps/ui/scripts/baseline/vite.config.ts" };

export type Pages = keyof typeof CONFIGS;

/** Builds the pages once into this folder, away from those that somebody may be looking at. */
export function buildPages(dir: string, which: Pages): string {
  const folder = join(dir, `pages-${which}`, "/");
  if (existsSync(join(folder, "index.html"))) return folder;
  const options = ["--config", CONFIGS[which], "--outDir", folder, "--logLevel", "error"];
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  const argv = [vite, "build", "apps/ui", ...options];
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`the pages could not be built: ${stderr}`);
  return folder;
}

import { mergeConfig, type Plugin } from "vite";
import ours from "../../vite.config.ts";

const REPLACEMENTS = [
  { what: "@tanstack/react-virtual", importer: /\/board-view\/[^/]+$/, by: here("every-row.ts") },
  { what: "../../diff/diff-view.tsx", importer: /\/review-view\/[^/]+$/, by: here("own-rows.tsx") },
];

/** What the bench compares with: the same pages, but the board draws every card, and plain rows show a diff. */
export default mergeConfig(ours, { plugins: [replacements()] });

function replacements(): Plugin {
  return {
    name: "baseline",
    enforce: "pre",
    resolveId: (source, importer = "") =>
      REPLACEMENTS.find((one) => one.what === source && one.importer.test(importer))?.by ?? null,
  };
}

function here(file: string): string {
  return decodeURI(new URL(file, import.meta.url).pathname);
}

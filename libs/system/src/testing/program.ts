import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = new URL("../../../../.cache/programs/", import.meta.url);

/** The bundled form of a `testing/NAME.ts` whose name ends in -child, as scripts/test-programs.mjs writes it for a run of the suites. */
export function program(name: `${string}-child`): string {
  const file = fileURLToPath(new URL(`${name}.js`, FOLDER));
  if (!existsSync(file)) throw new Error(`There is no program ${name}: is there a testing/${name}.ts?`);
  return file;
}

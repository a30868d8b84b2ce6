// `node scripts/bundle.mjs`: the command line and all that it loads, as a few files. From the sources it would be seven
// hundred, and Node takes longer to find them than most commands to do their work.
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { root } from "./bootstrap.mjs";

/** What is bundled besides our own code: libraries of many small files. The others are loaded from node_modules. */
const BUNDLED = /^(?:[./]|@anneal\/|(?:zod|yaml|jsonc-parser|@noble\/hashes)(?:\/|$))/;

/** Writes one program for each of `input`, name by name, and the code that they share, next to each other into `dir`. */
export async function bundle(input, dir) {
  const build = await rolldown({
    input,
    platform: "node",
    resolve: { mainFields: ["module", "main"] },
    external: (id) => !BUNDLED.test(id),
    plugins: [placesOf(dir)],
  });
  await build.write({ dir, cleanDir: true, sourcemap: true });
  await build.close();
}

/** Code that looks for files beside itself finds them where its source is. */
function placesOf(dir) {
  return {
    name: "places",
    transform: {
      filter: { id: /\.ts$/, code: /import\.meta\.url/ },
      handler: (code, id) => {
        const place = `new URL(${JSON.stringify(relative(dir, id))}, import.meta.url).href`;
        return { code: code.replaceAll("import.meta.url", place), map: null };
      },
    },
  };
}

export async function bundleCli() {
  const cli = join(root, "apps", "cli");
  await bundle({ main: join(cli, "src", "main.ts") }, join(cli, "bundle"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCli();

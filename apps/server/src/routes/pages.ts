import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** Where the built pages lie; null where nobody has built them. */
export function builtPages(): string | null {
  const folder = fileURLToPath(new URL("../../../ui/dist/", import.meta.url));
  return existsSync(`${folder}index.html`) ? folder : null;
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

/** The board and its screens. They are the same for everybody; what they show comes from the routes under `/api`. */
export async function servePages(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(async (pages) => {
    pages.addHook("onRoute", (route) => {
      route.config = { ...route.config, entrance: "open" };
    });
    await pages.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      // A file's name changes with its content; the page that names the files must always be the newest.
      setHeaders(reply, path) {
        const lasting = path.includes("/assets/");
        void reply.header("cache-control", lasting ? `public, max-age=${YEAR_MS / 1_000}, immutable` : "no-cache");
      },
    });
    const page = { schema: { hide: true } };
    pages.get("/", page, (_request, reply) => reply.sendFile("index.html"));
    pages.get("/p/*", page, (_request, reply) => reply.sendFile("index.html"));
  });
}

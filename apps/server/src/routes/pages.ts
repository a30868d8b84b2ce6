import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

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

/** Whether somebody looks at a screen in a browser, and no program asks for an answer. */
export function asksForScreen({ method, url, headers }: Pick<FastifyRequest, "method" | "url" | "headers">): boolean {
  const isApi = /^\/*(?:a|%61)(?:p|%70)(?:i|%69)(?:[/?%]|$)/i.test(url);
  return method === "GET" && !isApi && wantsHtml(headers);
}

export function wantsHtml({ accept }: FastifyRequest["headers"]): boolean {
  return accept?.includes("text/html") === true;
}

/** The screens of an address that has none: they say so themselves, or that nobody is logged in. */
export async function sendPages(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const page = await readFile(join(folder, "index.html"), "utf8");
  return reply.type("text/html; charset=utf-8").header("cache-control", "no-cache").send(page);
}

/** The address with its percent signs as they stand; it never leads to another server. */
export function withoutEscapes(url: string): string {
  const [path = "", ...query] = url.split("?");
  return [`/${path.replace(/^[/\\]+/, "").replaceAll("%", "%25")}`, ...query].join("?");
}

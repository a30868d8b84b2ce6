import Fastify from "fastify";

/** Fastify with nothing else: it sends bytes that are there already, and writes what it gets. */
export async function minimalServer(pages: readonly Buffer[], write: (text: string) => void) {
  const app = Fastify();
  app.get<{ Params: { page: string } }>("/pages/:page", (request, reply) =>
    reply.type("application/json; charset=utf-8").send(pages[Number(request.params.page)]),
  );
  app.post<{ Body: string }>("/write", (request, reply) => {
    write(request.body);
    return reply.send("ok");
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url, close: () => app.close() };
}

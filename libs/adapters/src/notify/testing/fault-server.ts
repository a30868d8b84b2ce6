import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Play = (response: ServerResponse) => void;

export const answer =
  (status: number, body = "", headers: Record<string, string> = {}): Play =>
  (response) =>
    void response.writeHead(status, headers).end(body);

export const plays = {
  ok: answer(200, "ok"),
  hang: () => {},
  cut: (response: ServerResponse) => void response.destroy(),
  truncated: (response: ServerResponse) => {
    response.socket?.end("HTTP/1.1 2");
  },
} satisfies Record<string, Play>;

/** A server on this machine that plays one answer after the other; the last one stays. */
export async function faultServer(...answers: Play[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() });
    (answers[Math.min(received.length, answers.length) - 1] ?? plays.ok)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/services/T0/B0/secret-part`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An address of this machine where nobody listens. */
export async function nobodyAt(): Promise<string> {
  const server = await faultServer();
  await server[Symbol.asyncDispose]();
  return server.url;
}

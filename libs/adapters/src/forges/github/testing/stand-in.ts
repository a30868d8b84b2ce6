// A GitHub of our own for tests: GitHub's interface over the fake forge, whose branches are a real repository.
// It knows what we know of GitHub, and nothing more: what it proves is that our side fits together.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../../ports.ts";
import { ForgeError } from "../../contract/errors.ts";
import { bareRepo } from "../../fake/bare-repo.ts";
import type { FakeContext } from "../../fake/context.ts";
import { fakeStore } from "../../fake/state.ts";
import { gitOverHttp } from "./git-over-http.ts";
import { inventions, objections, operationOf, type SeenRequest } from "./operations.ts";
import { graphql, routes, type StandInAnswer } from "./routes.ts";
import { OWNER, REPO, sha1 } from "./shapes.ts";

export interface StandIn {
  /** What the settings name it by, without `github:`; with `.git` behind it, where git reaches the repository. */
  address: string;
  host: string;
  requests: (SeenRequest & { status: number })[];
  /** What GitHub's description does not have: of our requests, and of the answers here. */
  objections: string[];
  /** Answers instead, where it says that it did; what was asked is done only where it calls for that. */
  misbehave: Misbehaviour | null;
  close(): Promise<void>;
}

export type Misbehaviour = (
  request: SeenRequest & { isChange: boolean },
  response: ServerResponse,
  perform: () => Promise<StandInAnswer>,
) => Promise<boolean>;

/** The account's token; another one is not let in. */
export const TOKEN = "gho_standin0000000000000000";

export async function gitHubStandIn(dir: string, clock: Clock): Promise<StandIn> {
  const desk: FakeContext = { store: fakeStore(dir), repo: bareRepo(dir, clock), clock };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      said.objections.push(`the stand-in broke: ${error}`);
      response.destroy();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const said: StandIn = {
    address: `http://${host}/${OWNER}/${REPO}`,
    host,
    requests: [],
    objections: [],
    misbehave: null,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers } = incoming;
    const url = new URL(incoming.url ?? "/", said.address);
    const [, gitPath] = new RegExp(`^/${OWNER}/${REPO}\\.git(/.*)$`).exec(url.pathname) ?? [];
    if (gitPath !== undefined) {
      await gitOverHttp(incoming, response, { dir, path: gitPath, query: url.search.slice(1), password: TOKEN });
      return;
    }
    const request: SeenRequest = { method, path: url.pathname, query: url.searchParams, body: await bodyOf(incoming) };
    const isGraphql = request.path === "/graphql";
    if (!isGraphql) said.objections.push(...objections(request));
    const isChange = isGraphql
      ? /^mutation/.test(String((request.body as { query?: unknown }).query))
      : method !== "GET";
    const perform = () => answerTo(request);
    if (said.misbehave !== null && (await said.misbehave({ ...request, isChange }, response, perform))) return;
    const isIn = headers.authorization === `Bearer ${TOKEN}`;
    const answer = isIn ? await perform() : { status: 401, body: { message: "Bad credentials" } };
    if (isChange && answer.status < 300 && (await isLost())) {
      response.destroy();
      return;
    }
    send(request, answer, { response, known: headers["if-none-match"] });
  }

  async function answerTo(request: SeenRequest): Promise<StandInAnswer> {
    const { limitedUntil } = await desk.store.read();
    if (limitedUntil !== null && clock.now() < limitedUntil)
      return { status: 403, body: { message: "API rate limit exceeded" } };
    const body = (request.body ?? {}) as Record<string, unknown>;
    if (request.path === "/graphql") return await graphql(desk, body.query, body.variables as Record<string, unknown>);
    const found = operationOf(request);
    const route = found === null ? undefined : routes[found.name];
    if (found === null || route === undefined) return { status: 404, body: { message: "Not Found" } };
    const pattern = new RegExp(`^${found.name.split(" ")[1]?.replace(/\{[^}]+\}/g, "([^/]+)")}$`);
    const params = (pattern.exec(request.path) ?? []).slice(3).map(decodeURIComponent);
    try {
      return await route(desk, { query: request.query, body, params });
    } catch (error) {
      // The fake forge's own lost answer: the connection ends with it.
      if (error instanceof ForgeError && error.kind === "unavailable") return { status: 0, body: null };
      throw error;
    }
  }

  async function isLost(): Promise<boolean> {
    return await desk.store.change((state) => {
      const lost = state.answersToLose > 0;
      if (lost) state.answersToLose -= 1;
      return lost;
    });
  }

  function send(
    request: SeenRequest,
    answer: StandInAnswer,
    { response, known }: { response: ServerResponse; known: string | undefined },
  ) {
    if (answer.status === 0) {
      response.destroy();
      return;
    }
    const { body, link } = paged(request, answer);
    const text = JSON.stringify(body, (_, value) => (value instanceof Set ? undefined : value));
    if (request.path !== "/graphql") said.objections.push(...inventions(request, answer.status, JSON.parse(text)));
    const etag = `W/"${sha1(text)}"`;
    const isSame = answer.status === 200 && request.method === "GET" && known === etag;
    const reset = Number(/rate limit/.test(text)) * Number(answer.status === 403);
    said.requests.push({ ...request, status: isSame ? 304 : answer.status });
    response.writeHead(isSame ? 304 : answer.status, {
      etag,
      "content-type": "application/json; charset=utf-8",
      ...(link === null ? {} : { link }),
      ...(reset === 0 ? {} : { "x-ratelimit-remaining": "0", "x-ratelimit-reset": limitHeader }),
    });
    response.end(isSame ? undefined : text);
  }

  let limitHeader = "";
  const { read } = desk.store;
  desk.store.read = async () => {
    const state = await read();
    limitHeader = String(Math.ceil((state.limitedUntil ?? 0) / 1_000));
    return state;
  };
  return said;
}

function paged({ query, path }: SeenRequest, { body, list }: StandInAnswer): { body: unknown; link: string | null } {
  if (list === undefined) return { body, link: null };
  const all = (list === true ? body : (body as Record<string, unknown>)[list]) as unknown[];
  const size = Number(query.get("per_page") ?? 30);
  const page = Number(query.get("page") ?? 1);
  const items = all.slice((page - 1) * size, page * size);
  const link = page * size < all.length ? `<https://api.github.example${path}?page=${page + 1}>; rel="next"` : null;
  return { body: list === true ? items : { ...(body as object), [list]: items }, link };
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? null : JSON.parse(text);
}

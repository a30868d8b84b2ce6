// The GitHub emulator of others (npm: emulate), with a thin proxy of OURS in front that answers what the emulator cannot:
// GraphQL, ETags, commit statuses, the list of annotations, answers in a thread, a second pull request from one branch, and lines in a review.
// What a test proves over one of these it proves against ourselves; `ours` counts them.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createEmulator } from "emulate";
import { DOCUMENTS } from "../client/graphql.ts";
import { objections, type SeenRequest } from "./operations.ts";

export interface EmulatedGitHub {
  /** The address that our side opens. */
  address: string;
  /** Asks the emulator itself, as one of its people. */
  as(login: string, method: string, path: string, body?: object): Promise<Answered>;
  /** What the proxy answered or changed, and how often. */
  ours: Map<string, number>;
  objections: string[];
  close(): Promise<void>;
}

interface Answered {
  status: number;
  body: unknown;
  link: string | null;
}

export const PEOPLE = ["acme", "anneal", "alice"] as const;
export const tokenOf = (login: string) => `gho_${login}`;

export async function emulatedGitHub(): Promise<EmulatedGitHub> {
  const port = await freePort();
  const emulator = await createEmulator({
    service: "github",
    port,
    seed: {
      tokens: Object.fromEntries(PEOPLE.map((login) => [tokenOf(login), { login, scopes: ["repo", "user"] }])),
      github: { users: PEOPLE.map((login) => ({ login })), repos: [{ owner: "acme", name: "shop" }] },
    },
  });
  const ours = new Map<string, number>();
  const found: string[] = [];
  const count = (name: string) => ours.set(name, (ours.get(name) ?? 0) + 1);

  async function ask(
    method: string,
    path: string,
    { token, body }: { token: string; body?: unknown },
  ): Promise<Answered> {
    const response = await fetch(`${emulator.url}${path}`, {
      method,
      headers: { authorization: token, "content-type": "application/json" },
      ...(body === undefined || body === null ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text), link: response.headers.get("link") };
  }

  /** What we answer, or how we change what is asked. */
  async function proxied(request: SeenRequest, token: string): Promise<Answered> {
    const { method, path, query } = request;
    const body = request.body as Record<string, unknown> | null;
    const asked = `${path}${query.size === 0 ? "" : `?${query}`}`;
    if (path === "/graphql") {
      count("graphql");
      return { status: 200, body: { data: await graphql(body ?? {}, token) }, link: null };
    }
    if (/\/commits\/[^/]+\/status$/.test(path)) {
      count("statuses");
      return { status: 200, body: { state: "pending", statuses: [] }, link: null };
    }
    const [, thread, first] = /^(.*\/pulls\/\d+\/comments)\/(\d+)\/replies$/.exec(path) ?? [];
    if (thread !== undefined) {
      count("replies");
      const of = (
        await ask("GET", path.replace(/\/pulls\/\d+\/comments\/(\d+)\/replies$/, "/pulls/comments/$1"), { token })
      ).body;
      const { path: file, line, commit_id } = of as Record<string, unknown>;
      return ask("POST", thread, {
        token,
        body: { ...body, in_reply_to_id: Number(first), path: file, line, commit_id },
      });
    }
    if (method === "POST" && /\/pulls$/.test(path) && body !== null) {
      const open = await ask("GET", `${path}?state=open&head=acme:${body.head}&base=${body.base}`, { token });
      if ((open.body as unknown[]).length > 0) {
        count("duplicates");
        const errors = [
          { resource: "PullRequest", code: "custom", message: `A pull request already exists for acme:${body.head}.` },
        ];
        return { status: 422, body: { message: "Validation Failed", errors }, link: null };
      }
    }
    if (method === "POST" && /\/reviews$/.test(path) && Array.isArray(body?.comments) && body.comments.length > 0) {
      count("lines");
      const comments = body.comments.map((one: object) => ({ ...one, position: (one as { line: number }).line }));
      return ask(method, asked, { token, body: { ...body, comments } });
    }
    const answer = await ask(method, asked, { token, body });
    if (!/\/annotations$/.test(path)) return answer;
    // GitHub describes a list, and the emulator gives an object with one.
    count("annotations");
    return { ...answer, body: (answer.body as Record<string, unknown>).check_annotations };
  }

  async function graphql({ query, variables }: Record<string, unknown>, token: string): Promise<unknown> {
    const { number, id } = (variables ?? {}) as { number?: number; id?: string };
    if (query === DOCUMENTS.ready) {
      const all = (await ask("GET", "/repos/acme/shop/pulls?state=all&per_page=100", { token })).body as Record<
        string,
        unknown
      >[];
      const pull = all.find((one) => one.node_id === id);
      return ask("PATCH", `/repos/acme/shop/pulls/${pull?.number}`, { token, body: { draft: false } });
    }
    const lines = (await ask("GET", `/repos/acme/shop/pulls/${number}/comments?per_page=100`, { token }))
      .body as Record<string, unknown>[];
    const nodes = lines
      .filter((one) => one.in_reply_to_id === null)
      .map((one) => ({ id: `T_${one.id}`, isResolved: false, comments: { nodes: [{ databaseId: one.id }] } }));
    return {
      repository: { pullRequest: { reviewThreads: { pageInfo: { hasNextPage: false, endCursor: null }, nodes } } },
    };
  }

  const server = createServer(async (incoming, response) => {
    const { method = "", headers } = incoming;
    const url = new URL(incoming.url ?? "/", emulator.url);
    const request = { method, path: url.pathname, query: url.searchParams, body: await bodyOf(incoming) };
    if (url.pathname !== "/graphql") found.push(...objections(request));
    const { status, body, link } = await proxied(request, headers.authorization ?? "");
    const text = JSON.stringify(body);
    const etag = `"${createHash("sha1").update(text).digest("hex")}"`;
    const isSame = method === "GET" && status === 200 && headers["if-none-match"] === etag;
    if (isSame) count("etags");
    response.writeHead(isSame ? 304 : status, {
      etag,
      "content-type": "application/json",
      ...(link === null ? {} : { link }),
    });
    response.end(isSame ? undefined : text);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/acme/shop`,
    as: (login, method, path, body) => ask(method, path, { token: `Bearer ${tokenOf(login)}`, body }),
    ours,
    objections: found,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await emulator.close();
    },
  };
}

/** The emulator has to be told its port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? null : JSON.parse(text);
}

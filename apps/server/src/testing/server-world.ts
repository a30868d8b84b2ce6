import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAutomationToken } from "@anneal/engine/people";
import { Right } from "@anneal/types";
import { type RunningServer, type ServeOptions, serve } from "../index.ts";
import { approval } from "./answers.ts";
import { seenStatuses } from "./seen-statuses.ts";

export interface World extends AsyncDisposable {
  readonly server: RunningServer;
  /** Stops the server, and lets the rest stand. */
  stop(): Promise<void>;
  /** Starts it again where it was. */
  start(): Promise<void>;
  /** Holds the projects and the data of the server. */
  folder: string;
  /** Folders of the projects, in order. */
  roots: string[];
  /** Ids of the projects, in order. */
  ids: string[];
  lines: string[];
  /** An automation token that may say everything. */
  token: string;
  /** Asks with that token, unless told. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: never;
}

/** A server with projects whose features are built and approved at once by a script. */
export async function serverWorld({
  projects = 1,
  features = 1,
  ...options
}: {
  projects?: number;
  features?: number;
} & Partial<Pick<ServeOptions, "beatMs" | "pages" | "requestsPerMinute" | "token">> = {}): Promise<World> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-server-")));
  const roots = Array.from({ length: projects }, (_, index) =>
    makeProject(join(folder, `project ${index + 1}`), features),
  );
  const lines: string[] = [];
  const open = (port: number) =>
    serve({
      port,
      projects: roots,
      dataDir: join(folder, "data"),
      requestsPerMinute: 1_000_000,
      pages: null,
      ...options,
      onLine: (line) => lines.push(line),
    });
  let server = await open(0);
  const token = await automationToken(join(folder, "data"), Right.options);
  const seen = seenStatuses();
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        "x-api-key": token,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    seen.add(method, path, response.status);
    const text = await response.text();
    const json = text !== "" && response.headers.get("content-type")?.includes("json") === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (json && text !== "" ? JSON.parse(text) : text) as never,
    };
  };
  const { body } = await call("GET", "/api/projects");
  const ids = (body as { projects: { id: string; root: string }[] }).projects;
  return {
    get server() {
      return server;
    },
    stop: () => server.close(),
    async start() {
      server = await open(Number(new URL(server.url).port));
    },
    folder,
    roots,
    ids: roots.map((root) => ids.find((one) => one.root === root)?.id ?? ""),
    lines,
    token,
    call,
    async [Symbol.asyncDispose]() {
      // A test may have stopped the server; then it has no description any more.
      const document = await call("GET", "/api/docs/json").catch(() => null);
      await server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      const untold = document?.status === 200 ? seen.undocumented(document.body) : [];
      if (untold.length > 0) throw new Error(`the description of the routes does not tell: ${untold.join("; ")}`);
    },
  };
}

/** A token such as a person makes for a program, good for an hour. */
export async function automationToken(dataDir: string, rights: readonly Right[], name = "ada"): Promise<string> {
  const at = Date.now();
  return await createAutomationToken({ name, rights, until: at + 3_600_000, by: "ada", at }, dataDir);
}

/** A repository with features whose agents are played by scripts. */
export function makeProject(root: string, features: number, delayMs = 0): string {
  mkdirSync(root, { recursive: true });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env: { ...process.env, ...IDENTITY } });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  write(root, "a.txt", "a\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "start");
  for (let n = 1; n <= features; n += 1) {
    const id = `f${n}`;
    write(
      root,
      `.automaker/features/${id}/feature.json`,
      JSON.stringify({ id, title: `Feature ${n}`, description: "Do it.", status: "backlog" }),
    );
    const steps = [
      { role: "implementer", edits: [{ path: `${id}.txt`, content: `${id}\n` }], answer: "Made it.", delayMs },
      { role: "reviewer", answer: approval, delayMs },
    ];
    write(root, `.automaker/scripts/${id}.json`, JSON.stringify({ steps }));
  }
  const player = "scripted:.automaker/scripts/{id}.json";
  write(
    root,
    ".automaker/settings.json",
    JSON.stringify({ version: 1, agents: { implementer: player, reviewer: player, fixer: player } }),
  );
  return root;
}

const IDENTITY = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

function write(root: string, path: string, content: string): void {
  const file = join(root, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, content);
}

export interface SeenFrame {
  seq: number;
  type: string;
  project: string;
  item: string;
  cursor: string;
  payload: unknown;
}

/** Listens to the event stream over a socket. */
export async function listen(world: World, query: Record<string, string> = {}) {
  const { ticket } = (await world.call("POST", "/api/events/ticket")).body as { ticket: string };
  const address = new URL("/api/events", world.server.url.replace("http", "ws"));
  for (const [key, value] of Object.entries({ ticket, ...query })) address.searchParams.set(key, value);
  const socket = new WebSocket(address);
  const frames: SeenFrame[] = [];
  const itemsChanged: unknown[] = [];
  const said: unknown[] = [];
  const waiters: { test: (frames: SeenFrame[]) => boolean; resolve: () => void }[] = [];
  const look = () => {
    for (const one of [...waiters]) if (one.test(frames)) waiters.splice(waiters.indexOf(one), 1)[0]?.resolve();
  };
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(String(data));
    // What the stream says about itself is no event.
    if (frame.type.startsWith("stream:")) return;
    // It may come at any moment between the others, once a second at most.
    if (frame.type === "items:changed") itemsChanged.push(frame);
    // What reviewers say is in no log, and only whoever asks for what agents do counts it as something that happened.
    else if (frame.seq === undefined && frame.type.endsWith("-progress") && query.activity === undefined)
      said.push(frame);
    else frames.push(frame);
    look();
  };
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.onclose = ({ code, reason }) => resolve({ code, reason });
  });
  await new Promise((resolve) => {
    socket.onopen = resolve;
    void closed.then(resolve);
  });
  return {
    frames,
    itemsChanged,
    /** What reviewers said meanwhile. */
    said,
    closed,
    /** Settles when what was seen so far fits. */
    until: (test: (frames: SeenFrame[]) => boolean) =>
      new Promise<void>((resolve) => {
        waiters.push({ test, resolve });
        look();
      }),
    close: () => socket.close(),
  };
}

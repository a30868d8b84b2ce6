import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerStep, sendUnscripted } from "./answer.ts";
import { sendJson } from "./deliver.ts";
import { isObject } from "./json.ts";
import { Playback } from "./playback.ts";
import { readBody } from "./read-body.ts";
import { emptyRequest, type ModelRequest, type RecordedRequest } from "./request.ts";
import { type ModelRoute, routeOf } from "./routes.ts";
import { sampleOf } from "./sample.ts";
import type { ScriptStep } from "./script.ts";
import { usualSide } from "./side.ts";

export interface ScriptedModelOptions {
  steps: readonly ScriptStep[];
  /** The last step answers as often as it is asked. */
  repeatLast?: boolean;
  /** Which requests may not take a step unless its guard fits them. `() => false` gives every request a step. */
  isSide?: (request: ModelRequest) => boolean;
  /** The answer to side requests that do not ask for a schema. */
  sideText?: string;
  port?: number;
}

export interface ScriptedModel extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a path. */
  url: string;
  /** Every request so far, in order of arrival. */
  requests: readonly RecordedRequest[];
  stepsLeft(): number;
  /** Replaces what is left of the script. */
  play(steps: readonly ScriptStep[], options?: { repeatLast?: boolean }): void;
  /** Resolves once the recorded requests fulfil the condition; looks again at every arrival and every end. */
  until(isFulfilled: (requests: readonly RecordedRequest[]) => boolean): Promise<void>;
  /** Ends every connection at once, also those that hang. */
  close(): Promise<void>;
}

/** A model on loopback that says what the script says, in the protocol in which it is asked. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { isSide = usualSide, sideText = "ok" } = options;
  const requests: RecordedRequest[] = [];
  const watchers = new Set<() => void>();
  const closing = new AbortController();
  let playback = new Playback(options.steps, options.repeatLast ?? false);

  const server = createServer((message, response) => {
    void handle(message, response).catch(() => response.destroy());
  });

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(message.url ?? "/", "http://127.0.0.1");
    const route = routeOf(message.method ?? "", path);
    const body = await readBody(message);
    const record: RecordedRequest = {
      ...("protocol" in route && isObject(body) ? route.protocol.read(body, path) : emptyRequest()),
      protocol: "protocol" in route ? route.protocol.name : "none",
      method: message.method ?? "",
      path,
      body,
      authorized: keyHeaders.some((header) => header in message.headers) || searchParams.has("key"),
      answeredBy: "service",
      outcome: "open",
    };
    response.on("close", () => {
      if (record.outcome === "open") record.outcome = response.writableFinished ? "complete" : "aborted";
      look();
    });
    const answering = answer(route, record, response);
    requests.push(record);
    look();
    await answering;
  }

  async function answer(route: ModelRoute, record: RecordedRequest, response: ServerResponse): Promise<void> {
    if (route.to === "probe") return void response.writeHead(200).end();
    if (route.to === "count" || route.to === "list") return sendJson(response, 200, route.answer);
    if (route.to === "nowhere") {
      record.answeredBy = "nothing";
      return sendJson(response, 404, { error: { message: `There is nothing at ${record.method} ${record.path}.` } });
    }
    const choice = playback.next(record, record.body, isSide(record));
    record.answeredBy = choice.by;
    if (choice.by === "nothing") return sendUnscripted(response, route.protocol);
    if (choice.by === "step") record.step = choice.index;
    const step = choice.by === "step" ? choice.step : sideStep(record, sideText);
    const id = `scripted_${requests.length + 1}`;
    await answerStep({ response, protocol: route.protocol, record, step, id, closed: closing.signal });
  }

  function look(): void {
    for (const watcher of watchers) watcher();
  }

  async function close(): Promise<void> {
    closing.abort();
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await ended;
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stepsLeft: () => playback.stepsLeft,
    play: (steps, { repeatLast = false } = {}) => {
      playback = new Playback(steps, repeatLast);
    },
    until: (isFulfilled) =>
      new Promise((resolve) => {
        const watcher = () => {
          if (!isFulfilled(requests)) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        watcher();
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

// A client that asked for JSON and gets a plain word asks again and again.
function sideStep({ structuredBy, schema }: ModelRequest, text: string): ScriptStep {
  return structuredBy === "text" ? { structured: sampleOf(schema) } : { text };
}

const keyHeaders = ["authorization", "x-api-key", "x-goog-api-key"];

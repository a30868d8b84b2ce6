import { Readable, Writable } from "node:stream";
import type { AnyMessage, ClientApp, ClientContext, Stream } from "@agentclientprotocol/sdk/unstable";
import type { RunningCommand } from "@anneal/system/programs/start-command";
import type { AgentRequest } from "../../ports.ts";
import { mayWrite } from "../cli/roles.ts";
import { NoSuchModelError } from "./failures.ts";
import { NotAllowedError, readInside, writeInside } from "./files.ts";
import { isAllowed, permission } from "./permissions.ts";
import type { SessionLog } from "./session-log.ts";

type Sdk = typeof import("@agentclientprotocol/sdk/unstable");

/** One prompt and its answer. Rejects where the agent answers with an error, or goes away. The SDK is loaded only here. */
export async function converse(
  running: RunningCommand,
  request: AgentRequest,
  sandboxed: boolean,
  log: SessionLog,
): Promise<{ stopReason: string }> {
  const sdk = await import("@agentclientprotocol/sdk/unstable");
  const stream = watched(sdk, running, log);
  return await clientFor(sdk, request, sandboxed, log).connectWith(stream, async (agent) => {
    await agent.request(sdk.methods.agent.initialize, {
      protocolVersion: sdk.PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: mayWrite(request.role) }, terminal: false },
      clientInfo: { name: "anneal", version: "0.1.0" },
    });
    const session = await agent.request(sdk.methods.agent.session.new, { cwd: request.cwd, mcpServers: [] });
    const sessionId = textIn(session, "sessionId");
    log.model = await choose(agent, sessionId, session, request.model);
    const prompt = [{ type: "text" as const, text: request.prompt }];
    const answer = await agent.request(sdk.methods.agent.session.prompt, { sessionId, prompt });
    log.used(answer);
    return { stopReason: textIn(answer, "stopReason") };
  });
}

/** Reads the updates before the SDK does: in order, whatever else they hold, and none after the answer that they belong to. */
function watched({ ndJsonStream }: Sdk, { stdin, stdout }: RunningCommand, log: SessionLog): Stream {
  const { readable, writable } = ndJsonStream(
    Writable.toWeb(stdin),
    Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
  );
  const updates = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ("method" in message && message.method === "session/update" && !("id" in message)) log.take(message.params);
      else controller.enqueue(message);
    },
  });
  return { readable: readable.pipeThrough(updates), writable };
}

function clientFor(sdk: Sdk, request: AgentRequest, sandboxed: boolean, log: SessionLog): ClientApp {
  const { role, cwd } = request;
  const { client, methods } = sdk;
  return client({ name: "anneal" })
    .onRequest(methods.client.session.requestPermission, async ({ params: { toolCall: call, options } }) => {
      const kind = call.kind ?? log.kindOf(call.toolCallId);
      const allowed = await isAllowed({ role, cwd, sandboxed, call, kind });
      log.note(`${allowed ? "allowed" : "not allowed"}: ${call.title ?? kind ?? "a tool"}`);
      return permission(allowed, options);
    })
    .onRequest(methods.client.fs.readTextFile, ({ params: { path, line, limit } }) =>
      answering(sdk, path, async () => {
        const lines = { ...(line == null ? {} : { line }), ...(limit == null ? {} : { limit }) };
        return { content: await readInside(cwd, path, lines) };
      }),
    )
    .onRequest(methods.client.fs.writeTextFile, ({ params: { path, content } }) =>
      answering(sdk, path, async () => {
        if (!mayWrite(role)) {
          log.note(`not allowed: write ${path}`);
          throw new NotAllowedError(`a ${role} may not write`);
        }
        await writeInside(cwd, path, content);
      }),
    );
}

/** Agents tell a file that is not there, which they may make, from other errors. */
async function answering<T>({ RequestError }: Sdk, path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw RequestError.resourceNotFound(path);
    throw RequestError.internalError(undefined, message);
  }
}

/** Chooses the model that was asked for, and gives its name. An agent that does not let us choose must not seem to obey. */
async function choose(
  agent: ClientContext,
  sessionId: string,
  session: unknown,
  model: string | undefined,
): Promise<string | undefined> {
  const option = modelOption(session);
  if (model === undefined) return option?.current;
  if (option?.current === model) return model;
  try {
    if (option === undefined) await agent.request("session/set_model", { sessionId, modelId: model });
    else await agent.request("session/set_config_option", { sessionId, configId: option.id, value: model });
    return model;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new NoSuchModelError(
      `does not offer the model ${model}: ${error.message}. Name a model that it offers, or choose one in the agent's own settings and leave it out here.`,
    );
  }
}

/** The setting by which the model is chosen, or, in older agents, the list of models. */
function modelOption(session: unknown): { id: string; current: string | undefined } | undefined {
  const { configOptions } = session as { configOptions?: unknown };
  const found = (Array.isArray(configOptions) ? configOptions : []).find(
    (option) => textIn(option, "category") === "model" || textIn(option, "id") === "model",
  );
  return found === undefined
    ? undefined
    : { id: textIn(found, "id"), current: textIn(found, "currentValue") || undefined };
}

function textIn(value: unknown, name: string): string {
  const inner = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof inner === "string" ? inner : "";
}

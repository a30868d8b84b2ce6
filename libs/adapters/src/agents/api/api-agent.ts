import { strictObject } from "@anneal/core/read";
import type { Usage } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import type { Agent, AgentEvent, AgentRequest, AgentRun, Capabilities } from "../../ports.ts";
import { type AgentSetup, seconds } from "../cli/cli-agent.ts";
import { cleanedRun, maskedEvents, secretsIn, withoutCredentials } from "../cli/credentials.ts";
import { withModel } from "../cli/setup.ts";
import type { Failure } from "./failures.ts";
import { wordsOf } from "./words.ts";

/** What a user may set about an agent that is only a provider's API. */
export interface ApiSetup extends AgentSetup {
  /** How much it may write, its thoughts included. An answer that gets there is cut off and fails. */
  maxOutputTokens?: number;
}

/** A provider's API: how one answer is asked for, and how its errors read. */
export interface Api {
  name: string;
  /** The variables with its key and its address. */
  keyVariable: string;
  urlVariable: string;
  defaultModel: string;
  /** Short names, which the API does not know, and what they stand for. */
  aliases?: Readonly<Record<string, string>>;
  ask(question: ApiRequest): Promise<ApiAnswer>;
  /** What an error of its SDK means; undefined where it is no error of a provider. */
  failure(error: unknown): Failure | undefined;
}

export interface ApiRequest {
  prompt: string;
  schema?: object;
  model: string;
  maxOutputTokens: number;
  key: string;
  baseUrl: string | undefined;
  /** Longer than our own limit, which comes first. */
  timeoutMs: number;
  signal: AbortSignal;
  /** To be used instead of the global one: it gets whatever arrives. */
  fetch: typeof fetch;
  onText(text: string): void;
  onNote(text: string): void;
  /** Call it as soon as something is known, so that broken runs are reported too. */
  used(usage: Usage, model?: string): void;
}

/** `cut` and `refused` are answers of the model too, but not to the question. */
export interface ApiAnswer {
  end: "complete" | "cut" | "refused" | "missing";
  text: string;
  /** The provider's word for how it ended. */
  reason?: string;
  /** Makes the structured answer of what was parsed, where the schema had to be changed for the provider. */
  restore?: (value: unknown) => unknown;
}

const CAPABILITIES: Capabilities = { schema: "native", readOnly: "toolset", cost: "none", streaming: "events" };
const MAX_OUTPUT_TOKENS = 32_000;

/** Makes an agent of a provider's API. It has no tools: it sees what the prompt holds, and changes nothing. */
export function apiAgent(api: Api, setup: ApiSetup = {}): Agent {
  return {
    name: api.name,
    capabilities: CAPABILITIES,
    async run(asked, signal) {
      if (signal.aborted) return { status: "cancelled", text: "", error: "cancelled before it started", usage: {} };
      const { request, refused } = withModel(asked, setup);
      if (refused !== undefined) return refused;
      const problem = refusal(api, setup, request);
      if (problem !== null) return { status: "failed", text: "", error: problem, usage: {}, lasting: true };
      return await ask(api, setup, request, signal);
    },
  };
}

function variable({ env }: ApiSetup, name: string): string | undefined {
  return (env?.[name] ?? process.env[name])?.trim() || undefined;
}

function refusal({ name, keyVariable }: Api, setup: ApiSetup, { role }: AgentRequest): string | null {
  if (role !== "reviewer" && role !== "analyst")
    return `${name} can review and analyse, but not change files. Choose claude, codex, gemini, opencode, cursor or acp as ${role}.`;
  if (variable(setup, keyVariable) === undefined) return `${name} has no key. Set ${keyVariable}.`;
  return null;
}

async function ask(api: Api, setup: ApiSetup, request: AgentRequest, signal: AbortSignal): Promise<AgentRun> {
  const key = variable(setup, api.keyVariable) ?? "";
  const baseUrl = variable(setup, api.urlVariable);
  const secrets = secretsIn({ [api.keyVariable]: key, [api.urlVariable]: baseUrl ?? "", ...setup.env }, setup);
  const clean = withoutCredentials(secrets);
  const events = maskedEvents(secrets, (event: AgentEvent) => request.onEvent?.(event));
  const words = wordsOf((text) => events.tell({ kind: "text", text }));
  const fallSilent = () => {
    words.end();
    events.end();
  };
  const known: { usage: Usage; model?: string } = { usage: {} };
  const watch = watchdogs(request, signal);
  const wanted = request.model ?? api.defaultModel;
  try {
    const answer = await api.ask({
      prompt: request.prompt,
      ...(request.schema === undefined ? {} : { schema: request.schema }),
      model: api.aliases?.[wanted] ?? wanted,
      maxOutputTokens: setup.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
      key,
      baseUrl,
      timeoutMs: request.limits.timeoutMs + 60_000,
      signal: watch.signal,
      fetch: watch.fetch,
      onText: words.take,
      onNote: (text) => events.tell({ kind: "note", text }),
      used: (usage, model) => Object.assign(known, { usage }, model === undefined ? {} : { model }),
    });
    fallSilent();
    return cleanedRun({ ...(watch.ended() ?? judged(answer, request, api)), ...known }, clean);
  } catch (error) {
    fallSilent();
    const failed = watch.ended() ?? { status: "failed", text: "", ...(api.failure(error) ?? broken(api, error)) };
    return cleanedRun({ ...failed, ...known }, clean);
  } finally {
    watch.stop();
  }
}

type Outcome = Omit<AgentRun, "usage" | "model">;

function judged(answer: ApiAnswer, { schema }: AgentRequest, { name }: Api): Outcome {
  const failed = (error: string): Outcome => ({ status: "failed", text: answer.text, error });
  const reason = answer.reason === undefined ? "" : ` (${answer.reason})`;
  if (answer.end === "cut") return failed(`${name}'s answer was cut off${reason}`);
  if (answer.end === "refused") return failed(`${name}'s model refused to answer${reason}`);
  if (answer.end === "missing") return failed(`${name}'s answer stopped before its end${reason}`);
  if (schema === undefined) return { status: "finished", text: answer.text };
  const parsed = strictObject(answer.text);
  if ("problem" in parsed) return failed(`${name}'s answer is not the requested JSON. ${parsed.problem}`);
  return { status: "finished", text: answer.text, structured: answer.restore?.(parsed.value) ?? parsed.value };
}

function broken({ name }: Api, error: unknown): Failure {
  return { error: `${name}'s answer could not be read: ${errorMessage(error)}` };
}

/** Ends the request when its time is up, when nothing arrives for too long, or on request. */
function watchdogs({ limits: { timeoutMs, silenceMs } }: AgentRequest, outer: AbortSignal) {
  const stop = new AbortController();
  let verdict: Outcome | undefined;
  const stopFor = (status: "timed-out" | "cancelled", error: string) => () => {
    verdict ??= { status, text: "", error };
    stop.abort();
  };
  const timer = setTimeout(stopFor("timed-out", `no answer after ${seconds(timeoutMs)}`), timeoutMs);
  const silence =
    silenceMs === undefined
      ? undefined
      : setTimeout(stopFor("timed-out", `the provider sent nothing for ${seconds(silenceMs)}`), silenceMs);
  const onAbort = stopFor("cancelled", "cancelled");
  outer.addEventListener("abort", onAbort, { once: true });
  const received = () => void silence?.refresh();
  return {
    signal: stop.signal,
    // Events that the SDKs do not pass on, such as pings, are signs of life too.
    fetch: async (...[input, init]: Parameters<typeof fetch>) => {
      const response = await fetch(input, init);
      received();
      const tap = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          received();
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body?.pipeThrough(tap) ?? null, response);
    },
    ended: () => verdict,
    stop: () => {
      clearTimeout(timer);
      clearTimeout(silence);
      outer.removeEventListener("abort", onAbort);
      stop.abort();
    },
  };
}

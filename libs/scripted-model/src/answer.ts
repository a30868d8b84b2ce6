import type { ServerResponse } from "node:http";
import { type DeliveryPace, deliver, sendGarbage, sendJson } from "./deliver.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { replyTo, type Speech } from "./reply.ts";
import type { RecordedRequest } from "./request.ts";
import type { ScriptStep } from "./script.ts";

interface Turn {
  response: ServerResponse;
  protocol: Protocol;
  record: RecordedRequest;
  step: ScriptStep;
  id: string;
  /** Fires when the server closes. */
  closed: AbortSignal;
}

export async function answerStep(turn: Turn): Promise<void> {
  const { response, protocol, record, step, closed } = turn;
  if ("status" in step) return sendStatus(response, protocol, step);
  if ("garbage" in step) return sendGarbage(response, record.stream);
  if ("hang" in step && step.hang === true) return;
  if ("cut" in step) record.outcome = "broken";
  const { speech, manner } = performance(step);
  await deliver(response, protocol, record, replyTo(record, speech, step.usage, turn.id), manner, closed);
}

/** A client does not retry this status, so a test that lacks a step fails at once and says why. */
export function sendUnscripted(response: ServerResponse, protocol: Protocol): void {
  sendJson(response, 400, protocol.error(400, "The script has no step for this request."));
}

function sendStatus(response: ServerResponse, protocol: Protocol, step: Extract<ScriptStep, { status: number }>): void {
  const { status, retryAfter, message = `The script answers ${status}.` } = step;
  const headers = retryAfter === undefined ? undefined : { "retry-after": String(retryAfter) };
  sendJson(response, status, protocol.error(status, message, retryAfter), headers);
}

function performance(step: Exclude<ScriptStep, { status: number } | { garbage: true }>): {
  speech: Speech;
  manner: DeliveryPace;
} {
  if ("drip" in step) return { speech: { text: step.drip.text }, manner: { pace: "drip", everyMs: step.drip.everyMs } };
  if ("hang" in step) return { speech: { text: halfSaid }, manner: { pace: "stall" } };
  if ("cut" in step) return { speech: { text: step.text ?? halfSaid }, manner: { pace: "cut" } };
  return { speech: step, manner: { pace: "whole" } };
}

const halfSaid = "This answer will never reach its end.";

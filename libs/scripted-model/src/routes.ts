import { anthropic } from "./protocols/anthropic.ts";
import { chat } from "./protocols/chat.ts";
import { gemini } from "./protocols/gemini.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { responses } from "./protocols/responses.ts";

export type ModelRoute =
  | { to: "model"; protocol: Protocol }
  | { to: "count"; protocol: Protocol; answer: unknown }
  | { to: "list"; answer: unknown }
  | { to: "probe" }
  | { to: "nowhere" };

/** The prefix before `/v1` is free, so that a base URL may carry a path. */
export function routeOf(method: string, path: string): ModelRoute {
  if (method === "HEAD") return { to: "probe" };
  if (method === "GET" && /\/v1beta\/models$/.test(path)) return { to: "list", answer: geminiModels };
  if (method === "GET" && /\/models$/.test(path)) return { to: "list", answer: models };
  if (method !== "POST") return { to: "nowhere" };
  if (path.endsWith("/messages/count_tokens"))
    return { to: "count", protocol: anthropic, answer: { input_tokens: 100 } };
  if (path.endsWith(":countTokens")) return { to: "count", protocol: gemini, answer: { totalTokens: 100 } };
  const protocol = protocols.find(([end]) => path.endsWith(end))?.[1];
  return protocol === undefined ? { to: "nowhere" } : { to: "model", protocol };
}

const protocols: [string, Protocol][] = [
  ["/v1/messages", anthropic],
  ["/responses", responses],
  ["/chat/completions", chat],
  [":generateContent", gemini],
  [":streamGenerateContent", gemini],
];

const name = "scripted-model";
// The lists of Anthropic and OpenAI have one path; their fields do not collide.
const models = {
  object: "list",
  data: [
    { id: name, object: "model", type: "model", display_name: name, created: 0, created_at: "1970-01-01T00:00:00Z" },
  ],
  has_more: false,
  first_id: name,
  last_id: name,
};
const geminiModels = {
  models: [{ name: `models/${name}`, supportedGenerationMethods: ["generateContent", "countTokens"] }],
};

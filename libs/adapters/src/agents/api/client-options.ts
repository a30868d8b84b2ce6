import type { ApiRequest } from "./api-agent.ts";

/** How the SDKs of both houses are set up: we wait and try again ourselves, and nothing is logged. */
export function clientOptions({ key, baseUrl, timeoutMs, fetch }: ApiRequest) {
  return { apiKey: key, baseURL: baseUrl ?? null, maxRetries: 0, timeout: timeoutMs, fetch, logLevel: "off" } as const;
}

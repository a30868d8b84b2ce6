/** The error document that Responses and Chat Completions share. */
export function openaiError(status: number, message: string) {
  const [type, code] = kinds[status] ?? (status < 500 ? ["invalid_request_error", null] : ["server_error", null]);
  return { error: { message, type, param: null, code } };
}

const kinds: Record<number, [string, string | null]> = {
  401: ["invalid_request_error", "invalid_api_key"],
  429: ["requests", "rate_limit_exceeded"],
  500: ["server_error", "server_error"],
  503: ["server_error", "server_is_overloaded"],
};

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  schema: {
    native: "enforces the answer format",
    forwarded: "passes the answer format to the model",
    prompted: "requests the answer format in the prompt",
  },
  readOnly: {
    os: "read-only by the operating system",
    toolset: "has no tools that write",
    config: "read-only by its settings",
    none: "reviews in a sandbox",
  },
  cost: { reported: "reports its cost", estimated: "cost is estimated", none: "reports no cost" },
  streaming: { events: "shows its work live", none: "shows its answer at the end" },
};

/** What an agent can be trusted with, in words; what has none is shown as it is named. */
export function capabilityWords(capabilities: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(capabilities).map(
    ([name, value]) => WORDS[name]?.[String(value)] ?? `${name}: ${String(value)}`,
  );
}

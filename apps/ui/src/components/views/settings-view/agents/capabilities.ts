const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  schema: {
    native: "answers in the asked form by itself",
    forwarded: "is handed the form of the answer",
    prompted: "is asked for the form in the prompt",
  },
  readOnly: {
    os: "kept from writing by the system",
    toolset: "has no tools that write",
    config: "told by its settings not to write",
    none: "shut in from outside when it reviews",
  },
  cost: { reported: "tells its cost", estimated: "its cost is estimated", none: "tells no cost" },
  streaming: { events: "shows what it does while it does it", none: "shows its answer at the end" },
};

/** What an agent can be trusted with, in words; what has none is shown as it is named. */
export function capabilityWords(capabilities: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(capabilities).map(
    ([name, value]) => WORDS[name]?.[String(value)] ?? `${name}: ${String(value)}`,
  );
}

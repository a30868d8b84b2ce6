/** Gathers the small pieces in which a model speaks into lines, so that a key is never reported in two halves. */
export function wordsOf(tell: (text: string) => void): { take(text: string): void; end(): void } {
  let held = "";
  const say = (upTo: number) => {
    if (upTo > 0) tell(held.slice(0, upTo));
    held = held.slice(upTo);
  };
  return {
    take(text) {
      held += text;
      say(held.length > LONGEST ? held.length : held.lastIndexOf("\n") + 1);
    },
    end: () => say(held.length),
  };
}

const LONGEST = 16_000;

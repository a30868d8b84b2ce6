const tails = new Map<string, Promise<void>>();

/** Runs one piece of work per key at a time, in the order of the calls. A failure does not stop the next. */
export function serialise<T>(key: string, act: () => Promise<T>): Promise<T> {
  const result = (tails.get(key) ?? Promise.resolve()).then(act);
  const forget = () => {
    if (tails.get(key) === tail) tails.delete(key);
  };
  const tail: Promise<void> = result.then(forget, forget);
  tails.set(key, tail);
  return result;
}

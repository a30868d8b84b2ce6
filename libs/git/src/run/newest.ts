/** Remembers the newest entries, and forgets the oldest. */
export class Newest<Value> {
  readonly #known = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#known.get(key);
  }

  set(key: string, value: Value): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= this.#most && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, value);
  }
}

import { randomBytes } from "node:crypto";

/** Which items have changed since somebody last looked, for as long as this process knows them. */
export class ItemChanges {
  readonly #run = randomBytes(6).toString("hex");
  /** When each item last changed, also those that are gone. */
  readonly #changedAt = new Map<string, number>();
  #count = 0;

  /** Names all that was noted so far. */
  get version(): string {
    return `${this.#run}-${this.#count}`;
  }

  note(keys: Iterable<string>): void {
    this.#count += 1;
    for (const key of keys) this.#changedAt.set(key, this.#count);
  }

  /** What was noted since a version; null where that is not one of this process. */
  since(version: string): string[] | null {
    const [run, count] = version.split("-");
    if (run !== this.#run || count === undefined || !/^\d{1,15}$/.test(count) || Number(count) > this.#count)
      return null;
    return [...this.#changedAt].flatMap(([key, at]) => (at > Number(count) ? [key] : []));
  }
}

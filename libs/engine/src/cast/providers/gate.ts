import type { Clock } from "@anneal/adapters";
import { backoff, type Limits } from "./limits.ts";

/** What a run waits for: a free slot, the end of the provider's pause, or the run that tries it out. */
export type ProviderWait = "busy" | "rate-limited" | "probing";

/** How a run ended, as far as its provider is concerned. */
export type ProviderOutcome = { served: "yes" | "unknown" } | { served: "no"; retryAfterMs: number | null };

/** A slot at a provider; it has to be given back, once. */
export interface ProviderSlot {
  leave(ending: ProviderOutcome): void;
}

export interface GateRequest {
  /** From `ticket()`: a run that comes back keeps its position in the order. */
  ticket: number;
  limits: Limits;
  signal: AbortSignal;
  /** Called whenever what this run waits for changes; the moment is null where nobody knows it. */
  onWait(untilMs: number | null, reason: ProviderWait): void;
}

interface Waiter extends GateRequest {
  admit(place: ProviderSlot): void;
  noticed: string;
}

/** After a provider turned a run away nobody asks it until a moment; then one run tries, and the rest follow if it is served. */
interface Pause {
  untilMs: number;
  strikes: number;
  probe: ProviderSlot | null;
}

/** The way to one provider, for all loops of this process: so many runs at once, first come first served. */
export class ProviderGate {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #waiting: Waiter[] = [];
  #tickets = 0;
  #running = 0;
  #pause: Pause | null = null;
  #alarm: AbortController | null = null;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  ticket(): number {
    this.#tickets += 1;
    return this.#tickets;
  }

  /** Waits for a slot; rejects with the signal's reason when the wait is called off. */
  enter(entry: GateRequest): Promise<ProviderSlot> {
    const { signal } = entry;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const callOff = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        this.#letIn();
        reject(signal.reason);
      };
      const admit = (place: ProviderSlot) => {
        signal.removeEventListener("abort", callOff);
        resolve(place);
      };
      const waiter: Waiter = { ...entry, admit, noticed: "" };
      signal.addEventListener("abort", callOff, { once: true });
      const later = this.#waiting.findIndex(({ ticket }) => ticket > entry.ticket);
      this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, waiter);
      this.#letIn();
    });
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#isFree(next); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#running += 1;
      const place = this.#placeFor(next.limits);
      if (this.#pause !== null) this.#pause.probe = place;
      next.admit(place);
    }
    this.#setAlarm();
    for (const waiter of this.#waiting) this.#tell(waiter);
  }

  #isFree({ limits }: Waiter): boolean {
    if (this.#running >= limits.maxConcurrency) return false;
    return this.#pause === null || (this.#pause.probe === null && this.#clock.now() >= this.#pause.untilMs);
  }

  #placeFor(limits: Limits): ProviderSlot {
    const place: ProviderSlot = {
      leave: (ending) => {
        this.#running -= 1;
        if (ending.served === "no") this.#turnedAway(place, ending.retryAfterMs, limits);
        else if (this.#pause?.probe === place) this.#tried(ending.served);
        this.#letIn();
      },
    };
    return place;
  }

  #turnedAway(place: ProviderSlot, retryAfterMs: number | null, limits: Limits): void {
    const pause = this.#pause;
    const now = this.#clock.now();
    if (pause === null || pause.probe === place) {
      const strikes = (pause?.strikes ?? 0) + 1;
      const untilMs = now + backoff(strikes, retryAfterMs, limits, this.#random);
      this.#pause = { untilMs, strikes, probe: null };
    } else if (retryAfterMs !== null) {
      // It started before the pause, so it says nothing new but how long the provider wants it to be.
      const asked = backoff(1, retryAfterMs, { backoffMs: 0, maxBackoffMs: 0 }, this.#random);
      pause.untilMs = Math.max(pause.untilMs, now + asked);
    }
  }

  /** A run that ended for another reason has shown nothing: the next one tries. */
  #tried(served: "yes" | "unknown"): void {
    if (served === "yes") this.#pause = null;
    else if (this.#pause !== null) this.#pause.probe = null;
  }

  /** Somebody who waits for the end of a pause is woken; where nobody does, no timer keeps the process alive. */
  #setAlarm(): void {
    this.#alarm?.abort();
    this.#alarm = null;
    const pause = this.#pause;
    if (pause === null || pause.probe !== null || this.#waiting.length === 0) return;
    const ms = pause.untilMs - this.#clock.now();
    // Over already: it waits for a free slot.
    if (ms <= 0) return;
    const alarm = new AbortController();
    this.#alarm = alarm;
    void this.#clock.sleep(ms, alarm.signal).then(
      () => this.#letIn(),
      () => {},
    );
  }

  #tell(waiter: Waiter): void {
    const pause = this.#pause;
    const paused = pause !== null && pause.probe === null && this.#clock.now() < pause.untilMs;
    const reason: ProviderWait = paused ? "rate-limited" : pause !== null && pause.probe !== null ? "probing" : "busy";
    const untilMs = paused ? pause.untilMs : null;
    const notice = `${reason} ${untilMs}`;
    if (notice === waiter.noticed) return;
    waiter.noticed = notice;
    waiter.onWait(untilMs, reason);
  }
}

/** The gates of one process, by provider. */
export interface ProviderGates {
  of(provider: string): ProviderGate;
}

export function providerGates({ clock, random }: { clock: Clock; random: () => number }): ProviderGates {
  const gates = new Map<string, ProviderGate>();
  return {
    of(provider) {
      const gate = gates.get(provider) ?? new ProviderGate(clock, random);
      gates.set(provider, gate);
      return gate;
    },
  };
}

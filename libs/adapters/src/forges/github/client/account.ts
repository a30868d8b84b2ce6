import type { Clock } from "../../../ports.ts";
import { type Answer, exchange, type Sent } from "./transport.ts";

export interface AccountOptions {
  /** For messages. */
  host: string;
  clock: Clock;
  /** The token, asked for before the first request and after one that was not accepted. */
  token: () => Promise<string>;
  pace: Pace;
}

/** The shortest times between the beginnings of two requests, and of two that change something. */
export interface Pace {
  readMs: number;
  writeMs: number;
}

/** An account at one GitHub, whose limits hold for all repositories: one request at a time, and never one twice. */
export class GithubAccount {
  readonly clock: Clock;
  /** Whose token it is, once that was asked. */
  login: string | null = null;
  readonly #options: AccountOptions;
  #token: Promise<string> | null = null;
  #last = { any: Number.NEGATIVE_INFINITY, change: Number.NEGATIVE_INFINITY };
  #requests: Promise<unknown> = Promise.resolve();

  constructor(options: AccountOptions) {
    this.clock = options.clock;
    this.#options = options;
  }

  /** Several requests at once are what GitHub asks programs not to send. */
  send(sent: Sent): Promise<Answer> {
    const mine = this.#requests.then(() => this.#sendNow(sent));
    this.#requests = mine.catch(() => {});
    return mine;
  }

  async #sendNow(sent: Sent): Promise<Answer> {
    this.#token ??= this.#options.token();
    const token = await this.#token.catch((error: unknown) => {
      this.#token = null;
      throw error;
    });
    await this.#wait(sent.isChange);
    const answer = await exchange(this.#options, sent, token);
    // A person may sign in anew while this runs, and as somebody else.
    if (answer.status === 401) {
      this.#token = null;
      this.login = null;
    }
    return answer;
  }

  async #wait(isChange: boolean): Promise<void> {
    const { readMs, writeMs } = this.#options.pace;
    const from = Math.max(this.#last.any + readMs, isChange ? this.#last.change + writeMs : 0);
    const ms = from - this.clock.now();
    if (ms > 0) await this.clock.sleep(ms, NEVER);
    this.#last.any = this.clock.now();
    if (isChange) this.#last.change = this.#last.any;
  }
}

const NEVER = new AbortController().signal;

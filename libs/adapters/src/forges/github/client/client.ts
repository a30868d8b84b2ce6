import { createHash } from "node:crypto";
import { ForgeError, RateLimited } from "../../contract/errors.ts";
import type { GithubAccount } from "./account.ts";
import type { GithubAddress } from "./address.ts";
import { refusalError, wordsOf } from "./failures.ts";
import { fieldsOf, maybeText } from "./fields.ts";
import { DOCUMENTS, type DocumentName } from "./graphql.ts";
import type { Answer, Sent } from "./transport.ts";

export type Query = Record<string, string | number>;

/** A page of an answer, or that it is as it was at an earlier look. */
export type PageLook = { same: true } | { same: false; stamp: string; body: unknown; hasNext: boolean };

/** Asks about one repository. Whoever must find something before making it does both `alone`. */
export class GithubClient {
  readonly address: GithubAddress;
  readonly account: GithubAccount;
  readonly #alone = new Map<string, Promise<unknown>>();

  constructor(address: GithubAddress, account: GithubAccount) {
    this.address = address;
    this.account = account;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.account.clock.now();
  }

  /** The path of something in the repository; what others named is encoded. */
  path(...parts: (string | number)[]): string {
    const { owner, repo } = this.address;
    return ["/repos", owner, repo, ...parts.map((part) => encodeURIComponent(part))].join("/");
  }

  async get(path: string, query: Query = {}): Promise<unknown> {
    const { text } = await this.#rest("GET", path, { query });
    return this.#json(text);
  }

  /** Text that is not JSON: only its end. */
  async endOf(path: string, mostChars: number): Promise<string> {
    const { text } = await this.#rest("GET", path, { keepEnd: mostChars });
    return text;
  }

  /** All pages of a list, which `from` takes out of each answer. */
  async list(path: string, query: Query = {}, from: (body: unknown) => unknown = (body) => body): Promise<unknown[]> {
    const all: unknown[] = [];
    for (let page = 1; ; page++) {
      const { text, headers } = await this.#rest("GET", path, { query: { ...query, per_page: PER_PAGE, page } });
      const items = from(this.#json(text));
      if (!Array.isArray(items)) throw new ForgeError("damaged", `${this.address.host} did not answer with a list`);
      all.push(...items);
      if (!hasNext(headers)) return all;
    }
  }

  /** What is there, unless it is as it was at an earlier look; then GitHub counts no request. */
  async look(path: string, query: Query = {}, earlier: string | null = null): Promise<PageLook> {
    const known = earlier?.startsWith(HASHED) === false ? { "if-none-match": earlier } : {};
    const { status, text, headers } = await this.#rest("GET", path, { query, headers: known });
    if (status === 304) return { same: true };
    const stamp = headers.get("etag") ?? HASHED + createHash("sha256").update(text).digest("hex");
    if (stamp === earlier) return { same: true };
    return { same: false, stamp, body: this.#json(text), hasNext: hasNext(headers) };
  }

  /** Changes something. Where the answer is lost nobody knows whether it did, so it is never sent again by itself. */
  async write(method: "POST" | "PATCH" | "PUT", path: string, body: object): Promise<unknown> {
    const { text } = await this.#rest(method, path, { body });
    return this.#json(text);
  }

  async graphql(name: DocumentName, variables: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const query = DOCUMENTS[name];
    const isChange = query.startsWith("mutation");
    const sent = { method: "POST", url: this.address.graphql, body: { query, variables }, isChange } as const;
    const { data, errors } = fieldsOf(this.#json((await this.#send(sent)).text));
    const [first] = Array.isArray(errors) ? errors : [];
    if (first === undefined) return fieldsOf(data);
    throw this.#graphqlError(first);
  }

  /** Does something while nobody else in this process does anything of that name. */
  alone<T>(name: string, act: () => Promise<T>): Promise<T> {
    const before = this.#alone.get(name) ?? Promise.resolve();
    const mine = before.then(act, act);
    const settled = mine.then(noMatter, noMatter).then(() => {
      if (this.#alone.get(name) === settled) this.#alone.delete(name);
    });
    this.#alone.set(name, settled);
    return mine;
  }

  async #rest(method: Sent["method"], path: string, more: Partial<Sent> & { query?: Query }) {
    const { query = {}, ...rest } = more;
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    const url = `${this.address.rest}${path}${text === "" ? "" : `?${text}`}`;
    return await this.#send({ method, url, isChange: method !== "GET", ...rest });
  }

  async #send(sent: Sent): Promise<Answer> {
    const answer = await this.account.send(sent);
    if (answer.status === 304 || (answer.status >= 200 && answer.status < 300)) return answer;
    const { host, owner, repo } = this.address;
    const body = jsonOr(answer.text, null);
    throw refusalError({ ...answer, body }, { host, repository: `${owner}/${repo}`, now: this.now() });
  }

  #json(text: string): unknown {
    const read = jsonOr(text, undefined);
    if (read !== undefined) return read;
    throw new ForgeError("unavailable", `the answer of ${this.address.host} broke off: try again later`);
  }

  #graphqlError(error: unknown): ForgeError {
    const { host, owner, repo } = this.address;
    const type = maybeText(error, "type");
    const said = wordsOf(error);
    if (type === "RATE_LIMITED") return new RateLimited(this.now() + LIMITED_MS);
    if (type === "NOT_FOUND") return new ForgeError("not-found", `${owner}/${repo} does not have this (${said})`);
    if (type === "FORBIDDEN" || type === "INSUFFICIENT_SCOPES") {
      return new ForgeError(
        "forbidden",
        `the token may not do this in ${owner}/${repo}: give it more rights (${said})`,
      );
    }
    return new ForgeError("invalid", `${host} refused the request (${said})`);
  }
}

const PER_PAGE = 100;
const HASHED = "sha256:";
const LIMITED_MS = 60_000;
const noMatter = () => {};

function hasNext(headers: Headers): boolean {
  return /<[^>]*>;[^,]*\brel="next"/.test(headers.get("link") ?? "");
}

function jsonOr<T>(text: string, instead: T): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return instead;
  }
}

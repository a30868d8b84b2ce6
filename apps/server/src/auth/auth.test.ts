import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ownAddresses } from "./addresses.ts";
import { gate } from "./gate.ts";
import { sameSecret } from "./secrets.ts";
import { endedForGood, SESSION_LIFE_MS } from "./sessions.ts";

function at(start = 0) {
  let now = start;
  return { now: () => now, pass: (ms: number) => (now += ms) };
}

describe("who may come in", () => {
  test.for([
    { what: "the token", given: { token: "the-token" }, in: true },
    { what: "another token", given: { token: "the-tokem" }, in: false },
    { what: "an empty token", given: { token: "" }, in: false },
    { what: "no credentials", given: {}, in: false },
    { what: "a made-up session", given: { session: "x" }, in: false },
    { what: "a wrong token beside a good session", given: { token: "x", session: "good" }, in: false },
  ])("$what: $in", ({ given, in: expected }) => {
    const here = gate({ token: "the-token", clock: at(), port: 1 });
    const session = "session" in given && given.session === "good" ? { session: here.sessions.begin() } : {};
    expect(here.knows({ ...given, ...session })).toBe(expected);
  });

  test("a session is good until it ends or grows old", () => {
    const clock = at();
    const here = gate({ token: "t", clock, port: 1 });
    const [one, two] = [here.sessions.begin(), here.sessions.begin()];
    expect([here.knows({ session: one }), here.knows({ session: two })]).toEqual([true, true]);
    here.sessions.end(one);
    expect([here.knows({ session: one }), here.knows({ session: two })]).toEqual([false, true]);
    clock.pass(8 * 24 * 3_600_000);
    expect(here.knows({ session: two })).toBe(false);
  });

  test.for([
    { what: "the same server, started again", with: {}, knows: true },
    { what: "one with another token", with: { token: "other" }, knows: false },
    { what: "one that is a week later", with: { later: SESSION_LIFE_MS }, knows: false },
    { what: "one of which it logged out", with: { out: true }, knows: false },
  ])("a session with $what: $knows", ({ with: { token = "t", later = 0, out = false }, knows }) => {
    const dir = mkdtempSync(join(tmpdir(), "anneal-sessions-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const clock = at();
    const first = gate({ token: "t", clock, port: 1, ended: endedForGood(dir) });
    const session = first.sessions.begin();
    if (out) first.sessions.end(session);
    clock.pass(later);
    expect(gate({ token, clock, port: 1, ended: endedForGood(dir) }).knows({ session })).toBe(knows);
  });

  test("who logs out of one server is out of every one that shares its folder", () => {
    const dir = mkdtempSync(join(tmpdir(), "anneal-sessions-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const [one, other] = [1, 2].map((port) => gate({ token: "t", clock: at(), port, ended: endedForGood(dir) }));
    const session = one?.sessions.begin();
    expect(other?.knows({ session })).toBe(true);
    one?.sessions.end(session ?? "");
    expect(other?.knows({ session })).toBe(false);
  });

  test("nobody can give a session more time, another name, or a proof of their own", () => {
    const here = gate({ token: "t", clock: at(), port: 1 });
    const [name = "", until = "", proof = ""] = here.sessions.begin().split(".");
    const other = name.replace(/^./, (first) => (first === "a" ? "b" : "a"));
    const forged = [
      [name, `${until}0`, proof],
      [other, until, proof],
      [name, until, other],
      [name, until],
      ["", until, ""],
    ];
    expect(forged.map((parts) => here.knows({ session: parts.join(".") }))).toEqual(forged.map(() => false));
  });

  test("a login link and a ticket are good once, and not for long", () => {
    const clock = at();
    const here = gate({ token: "t", clock, port: 1 });
    for (const [kind, life] of [
      ["logins", 600_000],
      ["tickets", 30_000],
    ] as const) {
      const { pass, expiresAt } = here[kind].issue();
      expect(expiresAt - clock.now()).toBe(life);
      expect([pass, pass, ""].map((one) => here[kind].redeem(one) !== null)).toEqual([true, false, false]);
      const late = here[kind].issue();
      clock.pass(life);
      expect(here[kind].redeem(late.pass)).toBeNull();
    }
    const { pass } = here.tickets.issue();
    expect(here.logins.redeem(pass)).toBeNull();
  });

  test("who asks for tickets without end does not fill the memory", () => {
    const here = gate({ token: "t", clock: at(), port: 1 });
    const first = here.tickets.issue().pass;
    for (let n = 0; n < 2_000; n++) here.tickets.issue();
    expect(here.tickets.redeem(first)).toBeNull();
    expect(here.tickets.redeem(here.tickets.issue().pass)).not.toBeNull();
  });
});

test("secrets of different lengths differ", () => {
  expect([sameSecret("a", "ab"), sameSecret("", ""), sameSecret("ab", "ab")]).toEqual([false, true, true]);
});

describe("whose address it is", () => {
  test.for([
    ["127.0.0.1", 7070, "127.0.0.1:7070", true],
    ["127.0.0.1", 7070, "localhost:7070", true],
    ["127.0.0.1", 7070, "LOCALHOST:7070", true],
    ["127.0.0.1", 7070, "[::1]:7070", true],
    ["127.0.0.1", 7070, "localhost", false],
    ["127.0.0.1", 7070, "localhost:7071", false],
    ["127.0.0.1", 7070, "evil.example:7070", false],
    ["127.0.0.1", 7070, "127.0.0.1.evil.example:7070", false],
    ["127.0.0.1", 80, "localhost", true],
    ["192.168.1.5", 7070, "192.168.1.5:7070", true],
    ["192.168.1.5", 7070, "localhost:7070", false],
    ["0.0.0.0", 7070, "box:7070", true],
    ["0.0.0.0", 7070, "192.0.2.7:7070", true],
    ["0.0.0.0", 7070, "[2001:db8::7]:7070", true],
    ["0.0.0.0", 7070, "localhost:7070", true],
    ["0.0.0.0", 7070, "review.example:7070", true],
    ["0.0.0.0", 7070, "review.example", true],
    ["0.0.0.0", 7070, "review.example:443", false],
    ["127.0.0.1", 7070, "proxy.example:8443", true],
    ["127.0.0.1", 7070, "proxy.example:7070", false],
    ["0.0.0.0", 7070, "box:7071", false],
    ["0.0.0.0", 7070, "evil.example:7070", false],
    ["0.0.0.0", 7070, "192.0.2.8:7070", false],
    ["::1", 7070, "[::1]:7070", true],
  ] as const)("a server at %s port %i takes the Host %s: %s", ([host, port, header, own]) => {
    const machine = () => ["box", "192.0.2.7", "2001:db8::7"];
    const { isOwnHost, isOwnOrigin } = ownAddresses({
      host,
      port,
      names: ["review.example", "Proxy.example:8443"],
      machine,
    });
    expect(isOwnHost(header)).toBe(own);
    expect(isOwnOrigin(`http://${header}`, header)).toBe(own);
    expect(isOwnOrigin(`https://${header}`, header)).toBe(own);
  });

  test.for([
    "null",
    "http://localhost:7070/",
    "file://",
    "http://user@localhost:7070",
    "javascript:1",
    "",
    "http://127.0.0.1:7070",
    "http://localhost:7071",
  ])("the Origin %s is not the page of localhost:7070", (origin) => {
    const own = ownAddresses({ host: "127.0.0.1", port: 7070 });
    expect(own.isOwnOrigin("http://localhost:7070", "localhost:7070")).toBe(true);
    expect(own.isOwnOrigin(origin, "localhost:7070")).toBe(false);
  });
});

import type { AutomationToken } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { ownAddresses } from "./addresses.ts";
import { gate } from "./gate.ts";
import { sameSecret } from "./secrets.ts";
import { SESSION_LIFE_MS } from "./sessions.ts";

function at(start = 0) {
  let now = start;
  return { now: () => now, pass: (ms: number) => (now += ms) };
}

describe("who may come in", () => {
  const machine = {
    name: "ci",
    hash: "",
    rights: ["approve"],
    until: "",
    madeAt: "",
    by: "ada",
  } satisfies AutomationToken;
  const automation = async (text: string) => (text === "anneal_ci" ? machine : null);

  test.for([
    { what: "the server's token", token: "the-token", is: { name: null, rights: [] } },
    { what: "an automation token", token: "anneal_ci", is: { name: "ci", rights: ["approve"] } },
    { what: "another token", token: "the-tokem", is: null },
    { what: "an empty token", token: "", is: null },
  ])("with $what: $is", async ({ token, is }) => {
    const bearer = await gate({ token: "the-token", clock: at(), port: 1, automation }).bearer(token);
    expect(bearer).toEqual(is === null ? null : expect.objectContaining(is));
  });

  test("a session is good until it ends or grows old", () => {
    const clock = at();
    const { sessions } = gate({ token: "t", clock, port: 1 });
    const [one, two] = [sessions.begin(), sessions.begin()];
    expect([sessions.isGood(one), sessions.isGood(two), sessions.isGood("x")]).toEqual([true, true, false]);
    sessions.end(one);
    expect([sessions.isGood(one), sessions.isGood(two)]).toEqual([false, true]);
    clock.pass(SESSION_LIFE_MS);
    expect(sessions.isGood(two)).toBe(false);
  });

  test("a session is of one run of one server: the token alone, which lies on the disk, makes none that counts", () => {
    const [one, other] = [1, 2].map((port) => gate({ token: "t", clock: at(), port }));
    const session = one?.sessions.begin() ?? "";
    expect([one?.sessions.isGood(session), other?.sessions.isGood(session)]).toEqual([true, false]);
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

import { readFileSync } from "node:fs";
import type { NotifyMessage } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import type { Notifier, SendResult } from "../ports.ts";
import { commandNotifier, emailNotifier, slackNotifier, webhookNotifier } from "./index.ts";
import { answer, faultServer, nobodyAt, type Play, plays } from "./testing/fault-server.ts";
import { mailServer } from "./testing/mail-server.ts";

const message: NotifyMessage = {
  key: "notice:0123456789abcdef01234567",
  kind: "ready",
  project: "shop",
  item: "login",
  title: "Ready for review: Add login <b> & more",
  link: "https://forge.example/shop/pull/7",
  summary: ["2 rounds, 3 files reviewed, 1 fixed, 0 open.", "The last review: Looks right."],
  command: "anneal show login",
  pullRequest: 7,
};
const never = new AbortController().signal;
const send = (notifier: Notifier, signal = never) => notifier.send(message, signal);

const FAULTS: { what: string; play: Play; result: SendResult["result"]; why?: string }[] = [
  { what: "taken", play: plays.ok, result: "sent" },
  { what: "taken without a word", play: answer(204), result: "sent" },
  { what: "a failure of the server", play: answer(500), result: "later", why: "it answered 500" },
  { what: "out of order", play: answer(503, "", { "retry-after": "7" }), result: "later" },
  { what: "a gateway that lost the answer", play: answer(502), result: "unclear", why: "it answered 502" },
  { what: "gone", play: answer(404, "no_service"), result: "refused" },
  {
    what: "a redirect",
    play: answer(302, "", { location: "/x" }),
    result: "refused",
    why: "redirects are not followed",
  },
  { what: "no answer", play: plays.hang, result: "unclear", why: "did not answer within 300 ms" },
  { what: "a cut connection", play: plays.cut, result: "unclear", why: "could not be reached" },
  { what: "half an answer", play: plays.truncated, result: "unclear", why: "could not be reached" },
];

const OVER_HTTP = [
  { name: "slack", over: (url: string) => slackNotifier({ webhookUrl: url, timeoutMs: 300 }) },
  { name: "webhook", over: (url: string) => webhookNotifier({ url, timeoutMs: 300 }) },
];

describe.for(OVER_HTTP)("$name", ({ over }) => {
  test.for(FAULTS)("$what: $result", async ({ play, result, why = "" }) => {
    await using server = await faultServer(play);
    const sent = await send(over(server.url));
    expect(sent.result).toBe(result);
    const said = "why" in sent ? sent.why : "";
    expect(said).toContain(why);
    expect(JSON.stringify(sent)).not.toContain("secret-part");
    expect(server.received).toHaveLength(1);
  });

  test("a limit says when to come back", async () => {
    await using server = await faultServer(answer(429, "", { "retry-after": "30" }));
    const why = "it answered 429";
    expect(await send(over(server.url))).toEqual({ result: "later", why, retryAfterMs: 30_000 });
  });

  test("where nobody listens it did not arrive", async () => {
    const sent = await send(over(await nobodyAt()));
    expect(sent).toEqual({ result: "later", why: "it could not be reached (ECONNREFUSED)", retryAfterMs: null });
  });

  test("what was called off before it began did not arrive", async () => {
    await using server = await faultServer(plays.ok);
    expect((await send(over(server.url), AbortSignal.abort())).result).toBe("later");
    expect(server.received).toEqual([]);
  });

  test.for([
    { url: "http://example.com/hook", why: "must be https" },
    { url: "ftp://example.com/", why: "must be https" },
    { url: "https://ada:secret-part@example.com/", why: "must not hold a name or password" },
    { url: "secret-part", why: "not a URL" },
  ])("nothing is sent to $url", async ({ url, why }) => {
    const sent = await send(over(url));
    expect(sent).toMatchObject({ result: "refused", why: expect.stringContaining(why) });
    expect(JSON.stringify(sent)).not.toContain("secret-part");
  });
});

describe("slack", () => {
  test("posts title, link, summary, tagged people and the channel as blocks", async () => {
    await using server = await faultServer(plays.ok);
    await send(slackNotifier({ webhookUrl: server.url, channel: "#reviews", users: ["U012AB3CD", "U09"] }));
    const { text, channel, blocks } = JSON.parse(server.received[0]?.body ?? "");
    expect(channel).toBe("#reviews");
    expect(text).toContain("<@U012AB3CD> <@U09> Ready for review: Add login &lt;b&gt; &amp; more");
    expect(text).toContain("https://forge.example/shop/pull/7");
    expect(blocks.map(({ type }: { type: string }) => type)).toEqual(["header", "section", "section", "context"]);
    expect(blocks[1].text.text).toContain("*<https://forge.example/shop/pull/7|Ready for review: Add login &lt;b&gt;");
    expect(blocks[2].text.text).toBe("• 2 rounds, 3 files reviewed, 1 fixed, 0 open.\n• The last review: Looks right.");
    expect(blocks[3].elements[0].text).toContain("`anneal show login`");
  });

  test("nobody is tagged and nothing is linked by words of agents", async () => {
    await using server = await faultServer(plays.ok);
    const evil = "<!channel> <@U1> <https://evil.example|click> `x`";
    const hostile = { ...message, title: evil, summary: [evil], project: evil };
    await slackNotifier({ webhookUrl: server.url }).send(hostile, never);
    const { text, blocks } = JSON.parse(server.received[0]?.body ?? "");
    const marked = [text, ...blocks.slice(1).flatMap((b: object) => JSON.stringify(b))].join();
    for (const power of ["<!channel", "<@U1", "<https://evil"]) expect(marked).not.toContain(power);
  });

  test("shows Slack's own word for a refusal, and no other text", async () => {
    await using known = await faultServer(answer(404, "channel_not_found"));
    const setup = { webhookUrl: known.url };
    expect(await send(slackNotifier(setup))).toEqual({
      result: "refused",
      why: "it answered 404 (channel_not_found)",
    });
    await using other = await faultServer(answer(403, "no access with secret-part"));
    expect(await send(slackNotifier({ webhookUrl: other.url }))).toEqual({ result: "refused", why: "it answered 403" });
  });
});

test("a webhook is signed over its body, as receivers of GitHub's webhooks check it", async () => {
  const { createHmac } = await import("node:crypto");
  await using server = await faultServer(plays.ok);
  await send(webhookNotifier({ url: server.url, secret: "s3cret-part" }));
  const [{ headers, body } = { headers: {}, body: "" }] = server.received;
  const expected = `sha256=${createHmac("sha256", "s3cret-part").update(body).digest("hex")}`;
  expect(headers).toMatchObject({ "x-anneal-signature-256": expected, "x-anneal-delivery": message.key });
  expect(JSON.parse(body)).toEqual(message);
  await send(webhookNotifier({ url: server.url }));
  expect(server.received[1]?.headers).not.toHaveProperty("x-anneal-signature-256");
});

describe("command", () => {
  const node = (script: string, timeoutMs = 20_000) =>
    commandNotifier({ argv: [process.execPath, "-e", script], env: { TOLD: "yes" }, timeoutMs });

  test("reads the message from its standard input, with the environment that the user names", async () => {
    using folder = tempFolder();
    const file = folder.path("told.json");
    const script = `const fs = require("fs"); fs.writeFileSync(${JSON.stringify(file)}, process.env.TOLD + fs.readFileSync(0))`;
    expect(await send(node(script))).toEqual({ result: "sent" });
    expect(readFileSync(file, "utf8")).toBe(`yes${JSON.stringify(message)}`);
  });

  test.for([
    { what: "fails", notifier: node("process.exit(3)"), result: { result: "later", why: "it exited with 3" } },
    { what: "hangs", notifier: node("setInterval(() => {}, 1000)", 400), result: { result: "unclear" } },
    {
      what: "is not there",
      notifier: commandNotifier({ argv: ["no-such-program-here"] }),
      result: { result: "refused" },
    },
  ])("one that $what: $result.result", async ({ notifier, result }) => {
    expect(await send(notifier)).toMatchObject(result);
  });
});

describe("email", () => {
  const setup = { from: "Anneal <anneal@shop.example>", to: ["ada@shop.example", "Bob <bob@shop.example>"] };
  const mailTo = (smtpUrl: string, timeoutMs = 10_000) => emailNotifier({ ...setup, smtpUrl, timeoutMs });

  test("a real mail server receives it, as text and as a page", async () => {
    await using server = await mailServer();
    expect(await send(mailTo(server.url))).toEqual({ result: "sent" });
    const [mail] = server.mails;
    expect(mail?.subject).toBe(message.title);
    expect(mail?.from?.text).toContain("anneal@shop.example");
    expect([mail?.to].flat().map((to) => to?.text)).toEqual([
      expect.stringMatching(/ada@shop\.example.*bob@shop\.example/s),
    ]);
    expect(mail?.text).toContain("- 2 rounds, 3 files reviewed, 1 fixed, 0 open.");
    expect(mail?.text).toContain("https://forge.example/shop/pull/7");
    expect(mail?.html).toContain('<a href="https://forge.example/shop/pull/7">');
    expect(mail?.html).toContain("Add login &lt;b&gt; &amp; more");
    expect(mail?.messageId).toBe("<notice.0123456789abcdef01234567@anneal>");
  });

  test("451 passes by itself: the next try arrives, once", async () => {
    await using server = await mailServer({ data: [451, null] });
    const notifier = mailTo(server.url);
    expect(await send(notifier)).toEqual({ result: "later", why: "the mail server answered 451", retryAfterMs: null });
    expect(await send(notifier)).toEqual({ result: "sent" });
    expect(server.mails).toHaveLength(1);
  });

  test("a wrong password is refused with what to mend, and never shown", async () => {
    await using server = await mailServer({ login: { user: "ada", pass: "right" } });
    const wrong = await send(mailTo(server.url.replace("right", "secret-part")));
    expect(wrong).toEqual({
      result: "refused",
      why: "the mail server answered 535 (wrong user name or password)",
    });
    expect(await send(mailTo(server.url))).toEqual({ result: "sent" });
  });

  test.for([
    { what: "refuses the message", play: 550, result: "refused" },
    { what: "hangs after the message", play: "hang", result: "unclear" },
    { what: "drops the connection after the message", play: "cut", result: "unclear" },
  ] as const)("a server that $what: $result", async ({ play, result }) => {
    await using server = await mailServer({ data: [play] });
    const sent = await send(mailTo(server.url, 1_000));
    expect(sent.result).toBe(result);
    expect(JSON.stringify(sent)).not.toContain("secret-part");
  });

  test("where nobody listens it did not arrive", async () => {
    const { host } = new URL(await nobodyAt());
    expect((await send(mailTo(`smtp://${host}`))).result).toBe("later");
  });

  test("smtps speaks to nobody whose certificate it does not know", async () => {
    await using server = await mailServer({ tls: { secure: true }, login: { user: "ada", pass: "secret-part" } });
    const sent = await send(mailTo(server.url));
    expect(sent.result).toBe("later");
    expect(JSON.stringify(sent)).not.toContain("secret-part");
    expect(server.mails).toEqual([]);
  });

  test.for(["http://127.0.0.1/", "secret-part", "smtp://"])("%s is the address of no mail server", async (url) => {
    const sent = await send(mailTo(url));
    expect(sent.result).toBe("refused");
    expect(JSON.stringify(sent)).not.toContain("secret-part");
  });
});

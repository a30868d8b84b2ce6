import type { NotifyMessage } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, Play } from "../testing/build.ts";
import { digestOf, htmlOf, noticeOf, quietUntil, textOf } from "./index.ts";

const about = {
  loop: "f1~1",
  item: { kind: "feature", id: "f1" } as const,
  key: "f1",
  title: "Add login",
  project: "shop",
};
const pr = () => new Play(POLICIES["pull-request"]).build();
const news = (play: Play, over: Partial<typeof about> = {}) => noticeOf({ ...about, ...over }, play.state);

describe("what people are told", () => {
  test.for([
    { what: "it works", play: () => pr(), kind: undefined },
    { what: "its pull request waits for feedback", play: () => pr().review(clean).pr(), kind: undefined },
    { what: "its pull request is ready", play: () => pr().review(clean).pr().feedback(), kind: "ready" },
    {
      what: "its pull request is ready and nobody has reviewed it",
      play: () => pr().signal("skip").pr(true).feedback(),
      kind: "needs-person",
    },
    {
      what: "a person verifies by hand",
      play: () => new Play(POLICIES.gate, { needsApproval: true }).build().review(clean),
      kind: "ready",
    },
    { what: "it passed", play: () => new Play(POLICIES.gate).build().review(clean), kind: undefined },
    {
      what: "it ran out of rounds",
      play: () => new Play(POLICIES.gate).build().review(bad()).mend().review(bad()).mend().review(bad()),
      kind: "needs-person",
    },
    { what: "a person paused it", play: () => pr().signal("pause"), kind: undefined },
    { what: "a person stopped it", play: () => pr().signal("stop"), kind: undefined },
    {
      what: "it was merged",
      play: () => pr().review(clean).pr().feedback().signal("approve").merged(),
      kind: undefined,
    },
    {
      what: "its pull request was closed",
      play: () => pr().review(clean).pr().feedback().feedback({ state: "closed" }),
      kind: undefined,
    },
    {
      what: "a ticket failed",
      play: () => {
        const play = new Play(POLICIES.scored).build();
        for (let n = 1; play.state.stage !== "ended" && n < 9; n++) play.review(bad("critical", n)).mend();
        return play;
      },
      kind: "failed",
    },
  ])("$what: $kind", ({ play, kind }) => {
    expect(news(play())?.kind).toBe(kind);
  });

  test("a key stands for one loop, round and reason", () => {
    const first = pr().review(clean).pr().feedback();
    const key = news(first)?.key;
    expect(news(pr().review(clean).pr().feedback().feedback())?.key).toBe(key);
    expect(news(first, { loop: "f1~2" })?.key).not.toBe(key);
    const second = pr().review(bad("high")).mend().review(clean).pr().feedback();
    expect(news(second)?.key).not.toBe(key);
    expect(key).toMatch(/^notice:[0-9a-f]{24}$/);
  });

  test("a summary tells how it went, and the worst that is open first", () => {
    const open = new Play(POLICIES.gate).build().review(bad("critical", 1)).mend().review(bad("high", 2)).mend();
    const message = news(open.review(bad("critical", 3)));
    expect(message?.summary).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^3 rounds, 1 file reviewed, \d fixed, \d open\.$/),
        "The last review: Not yet.",
        expect.stringMatching(/^critical: .* \(src\/cart\.ts:\d+\)$/),
      ]),
    );
  });

  test("words of agents stay on their line and do nothing", () => {
    const evil = "# x\n<script>y</script>\u001b[2J\u202e".repeat(40);
    const message = news(pr().review(clean).pr().feedback(), { title: evil });
    for (const power of ["\n", "\u001b", "\u202e", "<script>"]) expect(message?.title).not.toContain(power);
    expect(message?.title.length).toBeLessThan(200);
  });
});

describe("quiet hours", () => {
  const at = (text: string) => Date.parse(text);
  test.for([
    { now: "2026-01-09T21:59:00Z", from: "22:00", to: "07:00", until: null },
    { now: "2026-01-09T22:00:00Z", from: "22:00", to: "07:00", until: "2026-01-10T07:00:00Z" },
    { now: "2026-01-10T06:59:59Z", from: "22:00", to: "07:00", until: "2026-01-10T07:00:00Z" },
    { now: "2026-01-10T07:00:00Z", from: "22:00", to: "07:00", until: null },
    { now: "2026-01-10T12:30:00Z", from: "12:00", to: "13:00", until: "2026-01-10T13:00:00Z" },
    { now: "2026-01-10T12:30:00Z", from: "12:00", to: "12:00", until: null },
    { now: "2026-01-10T06:30:00Z", from: "22:00", to: "07:00", zone: "Asia/Tokyo", until: null },
    { now: "2026-01-10T14:30:00Z", from: "22:00", to: "07:00", zone: "Asia/Tokyo", until: "2026-01-10T22:00:00Z" },
    // The night in which clocks go forward has an hour less, the one in which they go back an hour more.
    { now: "2026-03-28T22:00:00Z", from: "22:00", to: "07:00", zone: "Europe/Zurich", until: "2026-03-29T05:00:00Z" },
    { now: "2026-10-24T21:00:00Z", from: "22:00", to: "07:00", zone: "Europe/Zurich", until: "2026-10-25T06:00:00Z" },
  ])("$now in $from to $to: until $until", ({ now, from, to, zone = "UTC", until }) => {
    const found = quietUntil({ from, to, timezone: zone }, at(now));
    expect(found === null ? null : new Date(found).toISOString().replace(".000", "")).toBe(until);
  });
});

describe("texts", () => {
  const message: NotifyMessage = {
    key: "notice:1",
    kind: "ready",
    project: "shop",
    item: "f1",
    title: "Ready <b>",
    link: 'https://forge/7?a=1&b="2"',
    summary: ["One & two."],
    command: "anneal show f1",
    pullRequest: 7,
  };

  test("as plain text and as a page", () => {
    expect(textOf(message)).toBe(
      'Ready <b>\n\n- One & two.\n\nhttps://forge/7?a=1&b="2"\nLook: anneal show f1\nProject: shop\n',
    );
    expect(htmlOf(message)).toBe(
      '<h3><a href="https://forge/7?a=1&amp;b=&quot;2&quot;">Ready &lt;b&gt;</a></h3><ul><li>One &amp; two.</li></ul><p>Look: <code>anneal show f1</code></p><p>Project: shop</p>',
    );
  });

  test("a digest lists titles, and does not grow without end", () => {
    const many = Array.from({ length: 50 }, (_, n) => ({ ...message, key: `k${n}`, link: null, title: `T${n}` }));
    const digest = digestOf(many);
    expect(digest).toMatchObject({ kind: "digest", title: "50 messages from quiet hours", pullRequest: null });
    expect(digest.summary).toHaveLength(31);
    expect(digest.summary[0]).toBe("T0 (f1)");
    expect(digest.summary.at(-1)).toBe("… and 20 more.");
    expect(digestOf(many).key).toBe(digest.key);
  });
});

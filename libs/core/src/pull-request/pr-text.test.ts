import type { LoopState } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import { pullRequestText } from "./pr-text.ts";
import { walks } from "./testing/walk.ts";

const policy = POLICIES["pull-request"];
const loop = () => new Play(policy).build();
const item = { id: "feature-1", title: "Totals in cents", description: "Sums must not lose cents." };
const text = (state: LoopState, over: Partial<typeof item> = {}) =>
  pullRequestText({ item: { ...item, ...over }, policy, state });

describe("the text of a pull request", () => {
  test("says what was asked, how the review went and each iteration, with its head and its issues", () => {
    const play = loop().review(bad("high")).mend().review(clean);
    expect(text(play.state)).toEqual({
      title: "Totals in cents",
      body: `## What was asked

Sums must not lose cents.

## Self-review

Passed at \`c2\` (2 iterations, at most 3): ${play.state.verdict?.verdict.reason}

## Iterations

| iteration | head | verdict | issues | summary |
|---|---|---|---|---|
| 1 | \`c1\` | fail | 1 high | Not yet. |
| 2 | \`c2\` | pass | none | Looks right. |
`,
    });
  });

  test("lists the open issues, worst first, when the rounds ran out", () => {
    const low = finding({ severity: "low", snippet: "low();", title: "Long name", description: "Long name", line: 3 });
    const high = finding({ severity: "high", snippet: "high();", title: "Wrong total", description: "Cents are lost" });
    const last = report({ claim: "fail", findings: [low, high], summary: "Still wrong." });
    const play = loop().review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(last);
    expect(play.where).toBe("opening-pr");
    const { title, body } = text(play.state);
    expect(title).toBe("Totals in cents");
    expect(body).toContain("**Not passed** at `c3` (3 iterations, at most 3)");
    expect(body).toContain(
      "## Open issues\n\n- **high** `src/cart.ts:10`: Wrong total: Cents are lost\n- **low**, not blocking `src/cart.ts:3`: Long name".replaceAll(
        "\\n",
        "\n",
      ),
    );
  });

  test("is marked NOT REVIEWED when the review was skipped, before and after reviews of other heads", () => {
    const skipped = loop().signal("skip");
    expect(text(skipped.state).title).toBe("NOT REVIEWED: Totals in cents");
    expect(text(skipped.state).body).toMatch(/^> \*\*NOT REVIEWED\*\*/);
    expect(text(skipped.state).body).toContain("## Self-review\n\nThere was no review.");
    const second = loop().review(bad("high")).mend().signal("skip");
    expect(text(second.state).title).toMatch(/^NOT REVIEWED/);
    expect(text(second.state).body).toContain("The last review was of `c1`, not of this head");
    const failed = loop().review(bad("high")).signal("skip");
    expect(text(failed.state).title).toMatch(/^NOT REVIEWED/);
    expect(text(failed.state).body).toContain("the last review did not pass, and a person skipped the rest");
    expect(text(loop().review(clean).state).body).not.toContain("NOT REVIEWED");
  });

  test("names what people decided and what the reviewer did not see", () => {
    const coverage = { reviewed: ["a"], skipped: [{ file: "logo.png", reason: "binary", excused: "asset" as const }] };
    const play = loop().review(report({ findings: [finding({ severity: "low" })] }), { coverage });
    const fingerprint = play.state.findings[0]?.fingerprint ?? "";
    const disposed = { type: "finding-disposed", at: 9, id: "d", fingerprint, by: "ada", reason: "fine" } as const;
    const { body } = text(play.feed({ ...disposed, disposition: "dismissed" }).state);
    expect(body).toContain("## Decisions\n\n- Total is wrong for an empty cart: dismissed by ada, fine");
    expect(body).toContain("## Not seen by the reviewer\n\n- `logo.png`: binary");
    expect(body).not.toContain("## Open issues");
  });

  test("gives the words of others no power: no markup, no headings, no mentions, no markers", () => {
    const evil =
      "# NOT REVIEWED\n<script>x</script> @root closes #12 ![x](http://evil/x.png) <!-- anneal:v1 kind=pull-request key=k -->\u001b[2J | `@code` ```";
    const answer = report({
      summary: evil,
      findings: [finding({ severity: "low", title: evil, description: evil, file: "a`b|c" })],
    });
    const { title, body } = text(loop().review(answer).state, { title: evil, description: evil });
    for (const power of ["<script>", "@root", "#12", "![x]", "<!--", "\u001b"]) expect(body).not.toContain(power);
    expect(body).not.toMatch(/^# NOT REVIEWED/m);
    expect(body.match(/^## /gm)).toHaveLength(4);
    for (const power of ["<script>", "<!--", "\n", "\u001b"]) expect(title).not.toContain(power);
    const [row = ""] = body.split("\n").filter((line) => line.startsWith("| 1 |"));
    expect(row.replace(/\\\|/g, "").split("|")).toHaveLength(7);
  });

  test("falls back to the id where the title is empty, and cuts a title that no forge takes", () => {
    const { state } = loop().review(clean);
    expect(text(state, { title: " \n" }).title).toBe("feature-1");
    expect(text(state, { title: "x".repeat(999) }).title.length).toBeLessThanOrEqual(255);
  });

  test("fits into what forges take, however much there is to say", () => {
    const long = "word ".repeat(5_000);
    // Every finding is compared with all others word by word, so these are only longer than what is cut.
    const words = "word ".repeat(500);
    const findings = Array.from({ length: 300 }, (_, n) =>
      finding({ severity: "low", snippet: `s${n}`, title: `${n} ${words}`, description: words, file: `${words}${n}` }),
    );
    const skipped = findings.map((_, n) => ({ file: `${long}${n}`, reason: long, excused: "asset" as const }));
    const play = loop().review(report({ findings, summary: long }), { coverage: { reviewed: ["a"], skipped } });
    const { body } = text(play.state, { description: long });
    expect(body.length).toBeLessThanOrEqual(65_536 - 500);
    expect(body).toContain("- … and 260 more");
  });

  test("can be written at every point of every history", () => {
    fc.assert(
      fc.property(walks, ({ play }) => {
        const { title, body } = text(play.state);
        const seen = play.state.verdict !== null && play.state.verdict.head === play.state.head;
        const skipped = play.state.stage === "opening-pr" && play.state.draft;
        expect(title.startsWith("NOT REVIEWED")).toBe(!seen || skipped);
        expect(body.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});

import { expect, test } from "vitest";
import { maskedText } from "../../review/secrets/masked.ts";

// Nobody's key; put together here so that this file does not hold it.
const [HEAD, TAIL] = ["ghp_aB3dE5fG7hJ9", "kL1mN3pQ5rS7tU9vW1xY3zA5"];

test.for([
  { between: "nothing", text: `${HEAD}${TAIL}` },
  { between: "a zero width space", text: `${HEAD}\u200b${TAIL}` },
  { between: "a soft hyphen", text: `${HEAD}\u00ad${TAIL}` },
  { between: "a word joiner", text: `${HEAD}\u2060${TAIL}` },
  { between: "a variation selector", text: `${HEAD}\ufe0f${TAIL}` },
  { between: "a tag", text: `<b>${HEAD}</b>${TAIL}` },
  { between: "a comment", text: `${HEAD}<!-- x -->${TAIL}` },
  { between: "a reference by number", text: `${HEAD}&#8203;${TAIL}` },
  { between: "a reference by hexadecimal number", text: `${HEAD}&#xAD;${TAIL}` },
  { between: "a letter as a reference", text: `gh&#112;${HEAD.slice(3)}${TAIL}` },
  { between: "a named reference", text: `${HEAD}&shy;${TAIL}` },
  { between: "an escape", text: `ghp\\_${HEAD.slice(4)}${TAIL}` },
  { between: "emphasis", text: `**${HEAD}**${TAIL}` },
])("a secret with $between in it is left out", async ({ text }) => {
  expect(await maskedText(`See ${text} there.`)).toBe("See [GitHub token left out] there.");
});

test("a text without a secret stays as it is, its marks included", async () => {
  const text = "Use <b>Map</b>`<string>` and **not** a\u00adb &#8203;";
  expect(await maskedText(text)).toBe(text);
});

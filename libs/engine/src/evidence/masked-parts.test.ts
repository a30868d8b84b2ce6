import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskedParts } from "./masked-parts.ts";

const SECRET = 'key-"quoted"-0123456789';

function source(text: string) {
  const bytes = Buffer.from(text);
  return { size: bytes.length, read: (offset: number, length: number) => bytes.subarray(offset, offset + length) };
}

const read = (text: string, offset: number, length: number) =>
  Buffer.concat([...maskedParts(source(text), { offset, length }, [SECRET])]).toString("latin1");

describe("parts of a record", () => {
  test.for([
    { form: "plain", text: `a ${SECRET} b` },
    { form: "within JSON", text: JSON.stringify({ text: `a ${SECRET} b` }) },
    { form: "within JSON inside of JSON", text: JSON.stringify(JSON.stringify({ text: SECRET })) },
    { form: "in an address", text: `https://x/?k=${encodeURIComponent(SECRET)}` },
  ])("cover a secret $form, and nothing moves", ({ text }) => {
    const shown = read(text, 0, text.length);
    expect(shown).toHaveLength(text.length);
    expect(shown).not.toContain("0123456789");
    expect(shown.replaceAll("*", "")).not.toBe(shown);
  });

  test("fit together wherever they are cut, and none of them shows a piece of a secret", () => {
    const text = `before ${SECRET} between ${SECRET}${SECRET} after`;
    const whole = read(text, 0, text.length);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), (a, b) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        expect(read(text, from, to - from)).toBe(whole.slice(from, to));
      }),
    );
  });

  test("cover a secret that lies across two reads of a long record", () => {
    const edge = 256 * 1024;
    const text = `${"x".repeat(edge - 5)}${SECRET}${"y".repeat(edge)}`;
    const shown = read(text, 0, text.length);
    expect(shown).toBe(`${"x".repeat(edge - 5)}${"*".repeat(SECRET.length)}${"y".repeat(edge)}`);
  });

  test("end where the record ends", () => {
    expect(read("short", 2, 1_000)).toBe("ort");
    expect(read("", 0, 10)).toBe("");
  });
});

import { seeded } from "./random.ts";

export type Kind = "code" | "test" | "python" | "json" | "yaml" | "prose";

export const EXTENSION: Record<Kind, string> = {
  code: ".ts",
  test: ".test.ts",
  python: ".py",
  json: ".json",
  yaml: ".yaml",
  prose: ".md",
};

/** A file as a list of sections of ten lines, so that a change can replace some and leave the rest. */
export class Sections {
  readonly #random = seeded(2024);
  #made = 0;

  /** Makes sections that share no line with any other; `flawed` puts one thing in that a reviewer should see. */
  make(kind: Kind, count: number, flawed: "clean" | "flawed" = "clean"): string[] {
    return Array.from({ length: count }, (_, index) =>
      this.#section(kind, index === 0 && flawed === "flawed").join("\n"),
    );
  }

  #section(kind: Kind, flawed: boolean): string[] {
    const lines = BODY[kind]({ word: () => this.#random.pick(WORDS), number: () => ++this.#made });
    if (flawed) lines.splice(5, 1, FLAW[kind].replace("NUMBER", String(++this.#made)));
    return lines;
  }
}

/** The text of a file from its sections. */
export function fileText(kind: Kind, sections: readonly string[]): string {
  if (kind === "json") return `{\n${sections.join(",\n")}\n}\n`;
  return `${sections.join(kind === "prose" ? "\n\n" : "\n")}\n`;
}

const WORDS = [
  "order",
  "price",
  "cart",
  "total",
  "customer",
  "invoice",
  "shipping",
  "discount",
  "address",
  "payment",
  "voucher",
  "stock",
  "parcel",
  "refund",
  "currency",
  "region",
] as const;

interface Source {
  word(): string;
  number(): number;
}

const BODY: Record<Kind, (source: Source) => string[]> = {
  code: ({ word, number }) => [
    `export function ${word()}Of${number()}(${word()}s: readonly Item[], rate: number): number {`,
    ...repeat(8, () => `  const ${word()}${number()} = ${word()}(items, rate) + ${word()}.${word()} * ${number()};`),
    `} // ${word()} ${number()}`,
  ],
  test: ({ word, number }) => [
    `test("the ${word()} of a ${word()} number ${number()} is kept", () => {`,
    ...repeat(8, () => `  expect(${word()}(${word()}s[${number()}], "${word()}")).toBe(${number()});`),
    `}); // ${word()} ${number()}`,
  ],
  python: ({ word, number }) => [
    `def ${word()}_${number()}(${word()}, rate):`,
    ...repeat(8, () => `    ${word()}_${number()} = ${word()}(rate, ${number()}) + ${word()}["${word()}"]`),
    `    return ${word()}_${number()}`,
  ],
  json: ({ word, number }) => [
    ...repeat(9, () => `  "${word()}-${number()}": "the ${word()} of the ${word()}",`),
    `  "${word()}-${number()}": ${number()}`,
  ],
  yaml: ({ word, number }) => [
    `${word()}-${number()}:`,
    ...repeat(8, () => `  ${word()}-${number()}: the ${word()} of the ${word()}`),
    `  ${word()}-${number()}: [${number()}, ${number()}]`,
  ],
  prose: ({ word, number }) =>
    repeat(10, () => `The ${word()} number ${number()} goes to the ${word()}, after the ${word()} has its ${word()}.`),
};

const FLAW: Record<Kind, string> = {
  code: "  console.log(items, NUMBER); // TODO look at NUMBER again",
  test: "  // @ts-ignore the type of NUMBER",
  python: "    print(rate)  # FIXME number NUMBER",
  json: '  "flaw-NUMBER": "none",',
  yaml: "  flaw-NUMBER: none # TODO remove",
  prose: "The flaw number NUMBER.",
};

function repeat(count: number, line: () => string): string[] {
  return Array.from({ length: count }, line);
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSeeds } from "./check-seeds.ts";

const ROOT = join(import.meta.dirname, "..");
const textOf = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : undefined);

test("every attack of the threat model names a test that is there", () => {
  const model = textOf("docs/threat-model.md") ?? "";
  const attacks =
    model
      .split("## Boundaries")[1]
      ?.split("\n## ")[0]
      ?.split("\n")
      .filter((line) => /^\|.*›/.test(line)) ?? [];
  expect(attacks.length).toBeGreaterThan(10);
  const rows = attacks.map((line, at) => {
    const [, , attack = "", proof = ""] = line.split("|");
    return `| 000-1-${at + 1} | ${attack.trim()} | ${proof.trim()} |`;
  });
  const text = ["| id | what the seed asks | proof |", "|---|---|---|", ...rows].join("\n");
  const { problems } = checkSeeds([{ path: "docs/threat-model.md", text }], textOf);
  // Boxes and terminals are attacked where there are some.
  expect(problems.filter((one) => !/^seed 00\d has no row$|that does not run: /.test(one))).toEqual([]);
});

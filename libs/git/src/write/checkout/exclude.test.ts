import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo } from "../../testing/make-repo.ts";

test.for([
  { what: "nothing", before: Buffer.from(""), after: Buffer.from("/new/\n/köpfe/\n") },
  { what: "no newline at its end", before: Buffer.from("mine"), after: Buffer.from("mine\n/new/\n/köpfe/\n") },
  {
    what: "what is wanted already",
    before: Buffer.from("/köpfe/\r\n/new/\n"),
    after: Buffer.from("/köpfe/\r\n/new/\n"),
  },
  {
    what: "lines in another encoding",
    before: Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2f, 0x0a]),
    after: Buffer.concat([Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2f, 0x0a]), Buffer.from("/new/\n/köpfe/\n")]),
  },
])("a file of excluded paths with $what keeps every byte, and gets what it lacks", async ({ before, after }) => {
  using repo = makeRepo({ a: "1\n" });
  const file = join(repo.dir, ".git/info/exclude");
  writeFileSync(file, before);
  await (await openRepo(repo.dir)).exclude(["/new/", "/köpfe/"]);
  expect(readFileSync(file).toString("hex")).toBe(after.toString("hex"));
});

import { describe, expect, test } from "vitest";
import { makeRepo } from "../../testing/make-repo.ts";
import { openBlobs } from "./blobs.ts";

describe("the blob reader", () => {
  test("gives the text of many blobs that are asked for at once", async () => {
    const texts = Array.from({ length: 200 }, (_, i) => `text ${i} é\n`.repeat(i * 10));
    using repo = makeRepo(Object.fromEntries(texts.map((text, i) => [`f${i}`, text])));
    const ids = texts.map((_, i) => `HEAD:f${i}`);
    const oids = repo.git("rev-parse", ...ids).split("\n");
    const blobs = openBlobs(repo.dir);
    expect(await Promise.all(oids.map((oid) => blobs.read(oid)))).toEqual(texts);
    blobs.close();
  });

  test.for([
    { what: "a blob with a NUL", content: Buffer.from("a\0b") },
    { what: "a blob that is not UTF-8", content: Buffer.from([0x61, 0xff]) },
    { what: "a blob over the limit", content: "x".repeat(101) },
  ])("gives null for $what, and goes on", async ({ content }) => {
    using repo = makeRepo({ a: content, b: "x".repeat(100) });
    const blobs = openBlobs(repo.dir, 100);
    const [a = "", b = ""] = repo.git("rev-parse", "HEAD:a", "HEAD:b").split("\n");
    expect([await blobs.read(a), await blobs.read(b)]).toEqual([null, "x".repeat(100)]);
    blobs.close();
  });

  test("gives null for what is no blob: missing, zeros, a commit, a line that would be two commands", async () => {
    using repo = makeRepo({ a: "a" });
    const blobs = openBlobs(repo.dir);
    const head = repo.git("rev-parse", "HEAD");
    for (const oid of ["1".repeat(40), "0".repeat(40), head, "", `${head}\ncontents ${head}`]) {
      expect(await blobs.read(oid)).toBeNull();
    }
    blobs.close();
  });

  test("rejects reads under way when it is closed, and all later ones", async () => {
    using repo = makeRepo({ a: "a" });
    const blobs = openBlobs(repo.dir);
    const oid = repo.git("rev-parse", "HEAD:a");
    const underWay = blobs.read(oid);
    blobs.close();
    await expect(underWay).rejects.toThrow("closed");
    await expect(blobs.read(oid)).rejects.toThrow("closed");
  });
});

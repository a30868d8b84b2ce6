import { describe, expect, onTestFinished, test } from "vitest";
import { openRepo } from "../../repo.ts";
import { makeRepo } from "../../testing/make-repo.ts";

async function twoCommits(before: Record<string, string>, after: Record<string, string>) {
  const made = makeRepo(before);
  onTestFinished(() => made.remove());
  const base = made.git("rev-parse", "HEAD").trim();
  for (const path of Object.keys(before)) if (!(path in after)) made.git("rm", "--quiet", "--", path);
  made.write(after);
  made.git("add", "--all");
  made.git("commit", "--quiet", "--message", "change");
  return { repo: await openRepo(made.dir), bounds: { base, head: made.git("rev-parse", "HEAD").trim() } };
}

const long = (letter: string) => `${letter.repeat(70)}\n`.repeat(1_000);

describe("a patch up to a size", () => {
  test("is git's own where it is shorter", async () => {
    const { repo, bounds } = await twoCommits({ "a.txt": "1\n" }, { "a.txt": "2\n" });
    const { text, truncated } = await repo.patchUpTo(bounds, { maxBytes: 10_000 });
    expect(truncated).toBe(false);
    expect(text.toString()).toBe(await repo.patch(bounds));
  });

  test("ends with the last file that is whole, and says so", async () => {
    const { repo, bounds } = await twoCommits({ "z.txt": "" }, { "a.txt": "small\n", "b.txt": long("b"), "z.txt": "" });
    const { text, truncated } = await repo.patchUpTo(bounds, { maxBytes: 5_000 });
    expect(truncated).toBe(true);
    expect(text.toString()).toMatch(/^diff --git a\/a\.txt [\s\S]*\+small\n$/);
  });

  test("of one file that is longer ends with a whole line", async () => {
    const { repo, bounds } = await twoCommits({ "a.txt": "" }, { "a.txt": long("a") });
    const { text, truncated } = await repo.patchUpTo(bounds, { maxBytes: 5_000 });
    expect([truncated, text.length <= 5_000, text.toString().endsWith("a\n")]).toEqual([true, true, true]);
  });

  test("takes paths as they are written, not as patterns", async () => {
    const { repo, bounds } = await twoCommits({ "a.txt": "1\n", "*": "1\n" }, { "a.txt": "2\n", "*": "2\n" });
    const { text } = await repo.patchUpTo(bounds, { maxBytes: 10_000, paths: ["*"] });
    expect(text.toString()).not.toContain("a.txt");
    expect(text.toString()).toContain("diff --git a/* b/*");
  });

  test("shows a renamed file as such where both of its names are given", async () => {
    const { repo, bounds } = await twoCommits({ "old.txt": long("x") }, { "new.txt": long("x") });
    const { text } = await repo.patchUpTo(bounds, { maxBytes: 10_000, paths: ["old.txt", "new.txt"] });
    expect(text.toString()).toContain("rename from old.txt\nrename to new.txt\n");
  });

  test("of commits that are not there is an error", async () => {
    const { repo, bounds } = await twoCommits({ "a.txt": "1\n" }, { "a.txt": "2\n" });
    await expect(repo.patchUpTo({ ...bounds, head: "0".repeat(40) }, { maxBytes: 10 })).rejects.toThrow(
      /git diff-tree/,
    );
  });
});

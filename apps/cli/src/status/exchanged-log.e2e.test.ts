import { describe, expect, test } from "vitest";
import { approve, project, writes } from "../testing/project.ts";

describe("a branch that tracks a log", () => {
  test.concurrent("exchanges nothing: what ran before is there again once it is left, and it is said", async () => {
    using here = project({ a: { steps: [writes("implementer", "export const ok = 1;\n"), approve] } });
    here.git("checkout", "--quiet", "-b", "old");
    here.write({ ".automaker/anneal.db": "somebody else's\n" });
    here.git("add", "--force", ".automaker/anneal.db");
    here.git("commit", "--quiet", "-m", "with a log");
    here.git("checkout", "--quiet", "main");
    expect(await here.anneal("run", "a")).toMatchObject({ code: 0 });
    const before = await here.anneal("status");
    expect(before).toMatchObject({ code: 0, stderr: "" });

    here.git("checkout", "--quiet", "old");
    const there = await here.anneal("status");
    expect(there).toMatchObject({ code: 2, stdout: "" });
    expect(there.stderr).toMatch(/tracked by git.*your own, which is back when you leave it/);

    here.git("checkout", "--quiet", "main");
    const after = await here.anneal("status");
    expect(after).toMatchObject({ code: 0, stdout: before.stdout });
    expect(after.stderr).toMatch(/^anneal: .*anneal\.db was gone.*put back.*\n$/);
    expect(await here.anneal("status")).toMatchObject({ stdout: before.stdout, stderr: "" });
  });
});

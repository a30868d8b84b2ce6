import { expect, test } from "vitest";
import { makeRepo } from "../../../../libs/git/src/testing/make-repo.ts";
import { probeSandbox } from "../../../../libs/system/src/sandbox/probe.ts";
import { anneal, annealReadOnly } from "../testing/anneal.ts";

const works = (await probeSandbox()).state === "works";

test.runIf(works).for([["init"], ["add", "more"], ["run", "--all", "--agent", "builtin"], ["loop"]])(
  "anneal %s on a disk that is mounted read-only says so, and ends",
  async (args) => {
    using repo = makeRepo({ "a.txt": "a\n" });
    await anneal(repo.dir, ["init"]);
    await anneal(repo.dir, ["add", "something"]);
    repo.git("switch", "--quiet", "--create", "topic");
    repo.commit({ "a.txt": "b\n" });
    const { code, stderr } = await annealReadOnly(repo.dir, args);
    expect(stderr).toContain("the disk is mounted read-only: mount it for writing");
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`${repo.dir}/.automaker`) });
  },
);

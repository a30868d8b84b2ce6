import { POLICIES } from "@anneal/core";
import { describe, expect, test } from "vitest";
import { type Files, makeRepo } from "../../../git/src/testing/make-repo.ts";
import { openRepo } from "../assemble.ts";
import { judgingSettings } from "../review/judging-settings.ts";
import { type NamesQuery, refuseForeignNames } from "./foreign-names.ts";

const FILE = ".automaker/settings.json";
const NOBODY: NamesQuery = { besides: {}, policy: null };
const verified = (by: string) => ({
  ...POLICIES.adversarial,
  name: "strict",
  reviewer: { ...POLICIES.adversarial.reviewer, verification: { by } },
});

/** Asks the settings of a project, which git knows or does not. */
async function ask(settings: object, known: "tracked" | "untracked", asked: NamesQuery = NOBODY): Promise<void> {
  const files: Files = { [FILE]: JSON.stringify({ version: 1, ...settings }) };
  using repo = makeRepo({ "a.txt": "", ...(known === "tracked" ? files : {}) });
  repo.write(files);
  const opened = await openRepo(repo.dir);
  refuseForeignNames(await judgingSettings(opened), asked);
}

describe("what runs a program, plays a file or sends somewhere", () => {
  const names = [
    "command:./judge",
    "acp:./judge --acp",
    "scripted:pass.json",
    "replay:pass.json",
    "sarif:clean.sarif",
    "webhook:https://evil.example",
    "claude+command:./judge",
    "builtin+webhook:https://evil.example",
    "{id}",
  ];
  test.for(names)("is refused from settings that the repository brings: %s", async (reviewer) => {
    await expect(ask({ agents: { reviewer } }, "tracked")).rejects.toThrow(
      /^\.automaker\/settings\.json: agents\.reviewer is ".+", .*command line \(--reviewer …\), or in your own settings \(\/.*settings\.json\)$/,
    );
  });

  test.for(names)("is taken from settings that git does not know: %s", async (reviewer) => {
    await expect(ask({ agents: { reviewer } }, "untracked")).resolves.toBeUndefined();
  });

  test.for(["implementer", "fixer"])("is refused as the %s, too", async (part) => {
    const settings = { agents: { [part]: "command:./do" } };
    await expect(ask(settings, "tracked")).rejects.toThrow(`agents.${part} is "command:./do"`);
  });

  test("is not asked for where the user names somebody else", async () => {
    const asked = { besides: { reviewer: "builtin" }, policy: null };
    await expect(ask({ agents: { reviewer: "command:./judge" } }, "tracked", asked)).resolves.toBeUndefined();
  });

  test("is refused as the verifier of a policy that is used, and only then", async () => {
    const policy = verified("command:./judge");
    const settings = { policies: [policy] };
    const says = 'policies[0].reviewer.verification.by is "command:./judge"';
    await expect(ask(settings, "tracked", { besides: {}, policy })).rejects.toThrow(says);
    await expect(ask(settings, "untracked", { besides: {}, policy })).resolves.toBeUndefined();
    const other = { besides: {}, policy: POLICIES.adversarial };
    await expect(ask(settings, "tracked", other)).resolves.toBeUndefined();
  });

  test("is refused as the verifier of a policy file that an item names", async () => {
    const asked = { besides: {}, policy: verified("command:./judge"), policyFile: "lax.json" };
    await expect(ask({}, "untracked", asked)).rejects.toThrow(
      /^lax\.json: reviewer\.verification\.by .*\(--policy lax\.json\)/,
    );
  });
});

describe("a plain name is taken from everywhere", () => {
  test.for(["claude", "codex:gpt-5-codex", "builtin", "codex-review", "auto", "house", "claude+codex", "scripted"])(
    "%s",
    async (reviewer) => {
      await expect(ask({ agents: { reviewer } }, "tracked")).resolves.toBeUndefined();
    },
  );
});

test.for<{ what: string; committed: Files; own: Files }>([
  { what: "whose folder is a link of the repository", committed: { ".automaker": { link: "evil" } }, own: {} },
  { what: "that one's own link leads to", committed: {}, own: { [FILE]: { link: "../evil/settings.json" } } },
])("settings $what are the repository's", async ({ committed, own }) => {
  const text = JSON.stringify({ version: 1, agents: { reviewer: "command:./judge" } });
  using repo = makeRepo({ "evil/settings.json": text, ...committed });
  repo.write(own);
  const opened = await openRepo(repo.dir);
  const settings = await judgingSettings(opened);
  expect(() => refuseForeignNames(settings, NOBODY)).toThrow(/agents\.reviewer/);
});

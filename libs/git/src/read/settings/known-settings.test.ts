import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { afterEach, expect, test, vi } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo, type TestRepo } from "../../testing/make-repo.ts";
import { commitSettings } from "../../write/commit/commit-settings.ts";
import { bySettings } from "./known-settings.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const settingsFile = ({ dir }: TestRepo) => join(dir, ".git/config");

test.for<{ what: string; between?: (repo: TestRepo) => void; asked: number }>([
  { what: "nothing changed", asked: 1 },
  { what: "the repository's settings changed", between: (repo) => repo.git("config", "a.b", "c"), asked: 2 },
  {
    what: "the user's settings changed",
    between: (repo) => appendFileSync(join(repo.dir, "home"), "[a]\n\tb = c\n"),
    asked: 2,
  },
  {
    what: "the settings include others, which may change by themselves",
    between: (repo) => appendFileSync(settingsFile(repo), "[include]\n\tpath = more\n"),
    asked: 3,
  },
])("where $what, git is asked $asked times in three", async ({ between, asked }) => {
  using repo = makeRepo({ a: "1" });
  writeFileSync(join(repo.dir, "home"), "");
  vi.stubEnv("GIT_CONFIG_GLOBAL", join(repo.dir, "home"));
  const opened = await openRepo(repo.dir);
  const location = { root: opened.root, gitDir: opened.gitDir, commonDir: opened.commonDir, clock: systemClock };
  let times = 0;
  const ask = async () => ++times;
  await bySettings(location, "a question", ask);
  between?.(repo);
  await bySettings(location, "a question", ask);
  await bySettings(location, "a question", ask);
  expect(times).toBe(asked);
});

test.for([
  { settings: "", isSigning: false },
  { settings: "[commit]\n\tgpgSign = true\n", isSigning: true },
  { settings: "[commit]\n\tgpgsign\n", isSigning: true },
  { settings: "[commit]\n\tgpgsign = 1\n", isSigning: true },
  { settings: "[commit]\n\tgpgsign = 0\n", isSigning: false },
  { settings: "[commit]\n\tgpgsign = On\n\tgpgsign = no\n", isSigning: false },
  { settings: "[commit]\n\tgpgsign =\n", isSigning: false },
])("$settings means signing: $isSigning", async ({ settings, isSigning }) => {
  using repo = makeRepo({ a: "1" });
  appendFileSync(settingsFile(repo), settings);
  const { root, gitDir, commonDir } = await openRepo(repo.dir);
  expect(await commitSettings({ root, gitDir, commonDir, clock: systemClock })).toMatchObject({ isSigning });
  const said = repo.git("config", "--type=bool", "--default=false", "--get", "commit.gpgSign");
  expect(said).toBe(String(isSigning));
});

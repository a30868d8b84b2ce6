import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { createFakeForge } from "../forges/index.ts";
import { desktopNotifier, githubNotifier } from "./index.ts";

const message = {
  key: "notice:1",
  kind: "ready" as const,
  project: "shop",
  item: "login",
  title: "-Ready <b>",
  link: "https://forge.example/7",
  summary: ["2 rounds.", "Fine & well.", "third"],
  command: null,
  pullRequest: 1,
};
const never = new AbortController().signal;

test.runIf(process.platform === "linux")("a desktop shows title and text as they are, without a shell", async () => {
  using folder = tempFolder();
  const told = folder.path("told");
  folder.write("bin/notify-send", `#!/bin/sh\nprintf '%s\\n' "$@" "$DISPLAY" > ${told}\n`, 0o755);
  const env = { PATH: `${folder.path("bin")}:/usr/bin:/bin`, DISPLAY: ":7", SECRET: "x" };
  expect(await desktopNotifier({ env }).send(message, never)).toEqual({ result: "sent" });
  expect(folder.read("told")).toBe(
    "--app-name=Anneal\n--\n-Ready &lt;b>\n2 rounds.\nFine &amp; well.\nhttps://forge.example/7\n:7\n",
  );
  const nowhere = await desktopNotifier({ env: { PATH: folder.path("none") } }).send(message, never);
  expect(nowhere).toEqual({ result: "refused", why: "this machine has no notify-send" });
});

test("a pull request gets the seed's comment, the reviewers and the label once, however often it is sent", async () => {
  using repo = makeRepo({ a: "1\n" });
  const dir = join(repo.dir, ".git", "forge.git");
  const forge = await createFakeForge(dir);
  for (const user of ["alice", "bob"]) await forge.setUser(user, "write");
  repo.git("remote", "add", "origin", dir);
  repo.git("push", "--quiet", "origin", "main");
  repo.git("switch", "--quiet", "--create", "topic");
  repo.commit({ a: "2\n" });
  repo.git("push", "--quiet", "origin", "topic");
  const request = { key: "k", branch: "topic", base: "main", title: "T", body: "B", draft: false, labels: ["own"] };
  const { pull } = await forge.open(request);
  const setup = { connect: async () => forge, reviewers: ["alice", "bob"], now: () => 0 };
  const notifier = githubNotifier(setup);
  expect(notifier.keyed).toBe(true);
  for (const _ of [1, 2]) expect(await notifier.send(message, never)).toEqual({ result: "sent" });
  const shown = await forge.get(pull.number);
  expect([...shown.labels].sort()).toEqual(["own", "ready-for-review"]);
  expect([...shown.reviewers].sort()).toEqual(["alice", "bob"]);
  const comments = await forge.comments(pull.number);
  expect(comments.map(({ body }) => body)).toEqual([
    "This PR has been automatically refined and is ready for human review",
  ]);
  expect((await notifier.send({ ...message, pullRequest: 99 }, never)).result).toBe("refused");
  const without = githubNotifier({ ...setup, connect: async () => null });
  expect(await without.send(message, never)).toEqual({ result: "refused", why: "the project has no forge" });
});

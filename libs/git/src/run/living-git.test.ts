import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { livingGit, type ProcessView } from "./living-git.ts";

/** Whoever looks is not who owns the processes. */
const SOMEBODY = { uid: (process.getuid?.() ?? 0) + 1 };

interface Process {
  name: string;
  /** Where it works; null where the system does not tell. */
  folder: string | null;
  args?: string;
}

/** A system with one process besides our own; `uid` is who looks, and every process belongs to who runs the test. */
async function looking({ name, folder, args = name }: Process, uid: number | undefined) {
  const proc = mkdtempSync(join(tmpdir(), "anneal-proc-"));
  try {
    for (const pid of [String(process.pid), "7"]) mkdirSync(join(proc, pid));
    writeFileSync(join(proc, "7/comm"), `${name}\n`);
    writeFileSync(join(proc, "7/cmdline"), `${args.replaceAll(" ", "\0")}\0`);
    const view: ProcessView = {
      folder: proc,
      uid,
      workingFolderOf: async () => {
        if (folder === null) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
        return folder;
      },
    };
    return await livingGit({ inside: ["/repo"], except: ["/repo/.worktrees/1"], file: "/repo/.git/index.lock" }, view);
  } finally {
    rmSync(proc, { recursive: true });
  }
}

describe("a git is at work", () => {
  test.for<Process & { is: "some" | "none" }>([
    { name: "git", folder: "/repo", is: "some" },
    { name: "git", folder: "/repo/src", is: "some" },
    { name: "git-remote-http", folder: "/repo", is: "some" },
    { name: "git", folder: "/elsewhere", args: "git gc /repo/.git/index.lock", is: "some" },
    { name: "git", folder: "/elsewhere", is: "none" },
    { name: "git", folder: "/repo/.worktrees/1", is: "none" },
    { name: "gitea", folder: "/repo", is: "none" },
    { name: "gitlab-runner", folder: "/repo", is: "none" },
    { name: "github-desktop", folder: "/repo", is: "none" },
    { name: "node", folder: "/repo", is: "none" },
  ])("$name in $folder: $is", async ({ is, ...one }) => {
    expect(await looking(one, process.getuid?.())).toBe(is);
  });

  test.for<{ whose: string; name: string; uid: number | undefined; is: "some" | "none" }>([
    { whose: "our own", name: "git", uid: process.getuid?.(), is: "some" },
    { whose: "another user's", name: "git", ...SOMEBODY, is: "none" },
    { whose: "another user's", name: "gitea", ...SOMEBODY, is: "none" },
  ])("$whose $name of which the system hides the folder: $is", async ({ name, uid, is }) => {
    expect(await looking({ name, folder: null }, uid)).toBe(is);
  });
});

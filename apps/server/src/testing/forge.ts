import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeForge, type FakeForge } from "@anneal/engine/pull-requests";
import { signed } from "../../../../libs/core/src/read/testing/sign-off.ts";
import type { LoopWorld } from "./loop-world.ts";

/** A forge on disk that knows Alice, to which the project may push: its features run under seed 001 from now on. */
export async function addForge({ root }: Pick<LoopWorld, "root">): Promise<FakeForge> {
  const dir = join(root, ".git/forge.git");
  const forge = await createFakeForge(dir);
  await forge.setUser("alice", "write");
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env });
  git("remote", "add", "origin", dir);
  git("push", "--quiet", "origin", "main");
  const file = join(root, ".automaker/settings.json");
  const pushConsent = { url: dir, by: "Ada", at: "2026-01-09T14:00:00Z" };
  const settings = { ...JSON.parse(readFileSync(file, "utf8")), pushConsent, pullRequests: { pollMs: 1_000 } };
  writeFileSync(file, JSON.stringify(settings));
  return forge;
}

/** A self-review in seed 001's form. */
export const selfReviews = (verdict: "pass" | "needs_work", summary: string, issues: readonly object[] = []) => ({
  role: "reviewer",
  answer: JSON.stringify({ verdict, issues, summary, ...(verdict === "pass" ? { sign_off: signed } : {}) }),
});

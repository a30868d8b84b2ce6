import { readFile } from "node:fs/promises";
import { GitError, openRepo } from "@anneal/git";
import { runCommand } from "@anneal/system/programs/command";
import { sandboxAdvice, unboxedLine } from "@anneal/system/sandbox/advice";
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { AGENTS, type AgentEntry } from "./cast/catalog.ts";

/** One thing that Anneal needs or can use, and how it stands with it on this machine. */
export interface Diagnosis {
  name: string;
  /** `optional` is something that is not there and need not be. */
  state: "ok" | "missing" | "optional";
  detail: string;
  /** How to get it. */
  advice?: string;
}

/** Looks at everything that Anneal can use on this machine. */
export async function diagnose(): Promise<Diagnosis[]> {
  const [git, repository, sandbox, ...agents] = await Promise.all([
    examineGit(),
    examineRepository(),
    examineSandbox(),
    ...Object.entries(AGENTS).flatMap(examineAgent),
  ]);
  const builtin: Diagnosis = {
    name: "builtin",
    state: "ok",
    detail: "reviewer and fixer that come with Anneal; they need no API key",
  };
  return [git, examineNode(), repository, sandbox, builtin, ...agents];
}

async function examineGit(): Promise<Diagnosis> {
  const version = await versionOf("git");
  if (version === null)
    return { name: "git", state: "missing", detail: "not found", advice: "install git 2.36 or newer" };
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const old = major < 2 || (major === 2 && minor < 36);
  // Commit hooks are run with `git hook run`, which came with 2.36.
  return old
    ? { name: "git", state: "missing", detail: `${version} is too old`, advice: "install git 2.36 or newer" }
    : { name: "git", state: "ok", detail: version };
}

function examineNode(): Diagnosis {
  return { name: "node", state: "ok", detail: process.versions.node };
}

async function examineRepository(): Promise<Diagnosis> {
  try {
    const repo = await openRepo(process.cwd());
    const base = await repo.defaultBranch();
    return { name: "repository", state: "ok", detail: `${repo.root}, default branch ${base}` };
  } catch (error) {
    const detail = error instanceof GitError ? error.message : String(error);
    return { name: "repository", state: "optional", detail };
  }
}

async function examineSandbox(): Promise<Diagnosis> {
  const probe = await probeSandbox();
  if (probe.state === "works") {
    return { name: "sandbox", state: "ok", detail: `bubblewrap ${(await versionOf(probe.program)) ?? ""}`.trim() };
  }
  const machine = { platform: process.platform, release: await readFile("/etc/os-release", "utf8").catch(() => "") };
  const detail = `${probe.reason}: agents, tests and hooks run with all your rights`;
  return { name: "sandbox", state: "optional", detail, advice: sandboxAdvice(probe, machine) };
}

/** In one line what is not protected on this machine; null where there is a sandbox. */
export async function unboxedHere(): Promise<string | null> {
  const probe = await probeSandbox();
  return probe.state === "works" ? null : unboxedLine(probe);
}

/** Nothing for an agent without a program of its own. */
function examineAgent([name, { probe }]: [string, AgentEntry]): Promise<Diagnosis>[] {
  return probe?.program === undefined ? [] : [examineProgram(name, probe.program, probe.install)];
}

async function examineProgram(name: string, program: string, advice: string | undefined): Promise<Diagnosis> {
  const version = await versionOf(program);
  if (version !== null) return { name, state: "ok", detail: version };
  return { name, state: "optional", detail: "not installed", ...(advice === undefined ? {} : { advice }) };
}

async function versionOf(program: string): Promise<string | null> {
  const { status, output } = await runCommand([program, "--version"], { cwd: process.cwd(), timeoutMs: 15_000 });
  if (status !== 0) return null;
  return output.match(/\d+\.\d+[\w.-]*/)?.[0] ?? output.trim().split("\n")[0] ?? "unknown version";
}

import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { UNRESERVED } from "../../review/testing/decision-text.ts";

/**
 * Looks for words in all that a folder leads to: its files and git's, as they lie there; every object, message and log that git has
 * there; its own environment; what it was asked; and with `above` the folders over it, up to the one for temporary files.
 */
const SEARCH = `
const { readdirSync, readFileSync, lstatSync } = require("node:fs");
const { spawnSync } = require("node:child_process");
const { dirname, join } = require("node:path");

function search(folder, words, { asked = "", above = null } = {}) {
  const found = new Set();
  const look = (place, text) => words.filter((word) => text.includes(word)).forEach((word) => found.add(word + " in " + place));
  const walk = (path, place) => {
    let at;
    try { at = lstatSync(path); } catch { return; }
    if (at.isDirectory()) {
      let names = [];
      try { names = readdirSync(path); } catch {}
      for (const name of names) { look(place, name); walk(join(path, name), place); }
    } else if (at.isFile()) { try { look(place, readFileSync(path, "latin1")); } catch {} }
  };
  const git = (place, ...args) => {
    const { stdout, stderr } = spawnSync("git", args, { cwd: folder, encoding: "latin1", maxBuffer: 1e9 });
    look(place, stdout + stderr);
  };
  look("the request", asked);
  look("the environment", Object.entries(process.env).join("\\n"));
  walk(folder, "files");
  git("objects", "cat-file", "--batch-all-objects", "--batch", "--unordered");
  git("the log", "log", "--all", "--format=%an %cn %B%N", "-p", "-m", "--root");
  git("the log", "log", "--format=%an %cn %B", "-g", "HEAD");
  git("lost objects", "fsck", "--lost-found", "--no-progress");
  git("the reflog", "reflog", "show", "--all");
  git("the stash", "stash", "list", "-p");
  git("refs", "for-each-ref", "--format=%(refname) %(contents)");
  git("worktrees", "worktree", "list");
  git("settings", "config", "--list", "--show-origin");
  git("remotes", "ls-remote", ".");
  if (above !== null) for (let up = dirname(folder); up.startsWith(above); up = dirname(up)) walk(up, "the folders above");
  return [...found].sort();
}
`;

export interface Searcher {
  /** How it is set up as an agent, for `agentSetup`. */
  setup: { kind: "command"; command: [string, ...string[]]; unsandboxed: "allowed" };
  /** What it found in a round, which it says in the place of its model. */
  found(round: { by: { model: string | null } } | undefined): string[];
  /** What the same search finds elsewhere. */
  searchIn(folder: string): string[];
}

interface Search {
  words: readonly string[];
  /** It rejects while a file holds this. */
  rejects: string;
  rejection: string;
  approval: string;
  /** Whether it looks into the folders above as well, which only a box keeps from it. */
  above: boolean;
}

/** A reviewer that looks for words everywhere before it answers. */
export function searchingReviewer({ words, rejects, rejection, approval, above }: Search): Searcher {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-search-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const known = {
    words,
    rejects: `${rejects} in files`,
    rejection,
    approval,
    unreserved: JSON.stringify(UNRESERVED),
    above: above ? realpathSync(tmpdir()) : null,
  };
  const [reviewer, search] = [join(folder, "reviewer.cjs"), join(folder, "search.cjs")];
  // Its own text holds no word that it looks for.
  writeFileSync(
    reviewer,
    `${SEARCH}
const known = JSON.parse(Buffer.from("${base64(known)}", "base64"));
const asked = readFileSync(0, "utf8");
const found = search(process.cwd(), known.words, { asked, above: known.above });
const review = found.includes(known.rejects) ? known.rejection : known.approval;
const text = asked.includes("without_reservation") ? known.unreserved : review;
console.log(JSON.stringify({ text, model: Buffer.from(JSON.stringify(found)).toString("base64") }));
`,
  );
  writeFileSync(
    search,
    `${SEARCH}\nconsole.log(JSON.stringify(search(process.argv[2], JSON.parse(process.argv[3]))));\n`,
  );
  return {
    setup: { kind: "command", command: [process.execPath, reviewer], unsandboxed: "allowed" },
    found: (round) => JSON.parse(Buffer.from(round?.by.model ?? "", "base64").toString("utf8")),
    searchIn: (place) =>
      JSON.parse(execFileSync(process.execPath, [search, place, JSON.stringify(words)], { encoding: "utf8" })),
  };
}

function base64(what: object): string {
  return Buffer.from(JSON.stringify(what)).toString("base64");
}

import { fileKind } from "@anneal/adapters/builtin/file-kind";
import { splitArgv } from "@anneal/adapters/checks";
import { testSettings } from "@anneal/core";
import type { Repo } from "@anneal/git";
import type { ChangedFile, Finding, LoopState } from "@anneal/types";

/**
 * Test files that are gone, elsewhere or unreadable since the checks were red, whatever went with them, and files that decide
 * which tests run and read otherwise now. What the change itself brought is its own to correct, and what is as in the base is no loss.
 */
export async function lostFiles(
  repo: Repo,
  { base, checks }: Pick<LoopState, "base" | "checks">,
  { refused, tree }: { refused: string; tree: string },
): Promise<Finding[]> {
  const change = repo.change({ base: refused, head: tree, headKind: "tree" });
  try {
    const command = new Set(wordsOf(checks?.testCommand ?? null));
    const suspects: Suspect[] = [];
    for await (const file of change.files()) suspects.push(...suspected(file, command));
    if (suspects.length === 0) return [];
    const earlier = new Map<string, ChangedFile>();
    for await (const file of repo.changedFiles({ base, head: refused, headKind: "tree" })) earlier.set(file.path, file);
    const found: Finding[] = [];
    for (const { path, how, oldBlob, newBlob } of suspects) {
      const before = earlier.get(path);
      const nowhere = before === undefined && ABSENT.test(oldBlob);
      const brought = nowhere && command.has(path) && testSettings(path, "") === null;
      if (brought || before?.status === "added") continue;
      const decisive = async (blob: string) => {
        const text = ABSENT.test(blob) ? "" : ((await change.content(blob)) ?? blob);
        return command.has(path) ? text : testSettings(path, text);
      };
      const fine = how === "settings" ? [await decisive(oldBlob), await decisive(before?.oldBlob ?? oldBlob)] : [];
      if (!fine.includes(await decisive(newBlob))) found.push(lost(path, how));
    }
    return found;
  } finally {
    change.close();
  }
}

const ABSENT = /^0*$/;

interface Suspect extends Pick<ChangedFile, "path" | "oldBlob" | "newBlob"> {
  how: keyof typeof LOST;
}

function suspected(file: ChangedFile, command: ReadonlySet<string>): Suspect[] {
  const { path, oldPath = path, oldBlob, newBlob, status } = file;
  const { test, fixture, generated } = fileKind(oldPath);
  const how = status === "added" || !test || fixture || generated ? null : howLost(file);
  if (how !== null) return [{ path: oldPath, how, oldBlob, newBlob }];
  const moved = [
    { path: oldPath, oldBlob, newBlob: "" },
    { path, oldBlob: "", newBlob },
  ];
  return (oldPath === path ? [{ path, oldBlob, newBlob }] : moved)
    .filter((one) => command.has(one.path) || testSettings(one.path, "") !== null)
    .map((one) => ({ ...one, how: "settings" }));
}

function howLost({ status, skipped, oldBlob, newBlob }: ChangedFile): keyof typeof LOST | null {
  if (status === "deleted") return "gone";
  if (status === "renamed") return "moved";
  return status === "type-changed" || (skipped !== undefined && oldBlob !== newBlob) ? "unreadable" : null;
}

/** The files that the test command itself names. */
function wordsOf(command: string | string[] | null): string[] {
  const words = typeof command === "string" ? splitArgv(command) : (command ?? []);
  return words.map((word) => word.replace(/^(?:\.\/)+/, ""));
}

const LOST = {
  gone: { title: "A test file is gone", description: "The file is deleted." },
  moved: {
    title: "A test file was renamed or moved",
    description: "Nothing shows that the checks still run the file under its new name.",
  },
  unreadable: {
    title: "A test file cannot be read any more",
    description: "The file is binary, a link, or too large, so its tests cannot be compared.",
  },
  settings: {
    title: "The configuration of which tests run was changed",
    description: "The checks may now run other tests, or run them differently.",
  },
};

function lost(file: string, how: keyof typeof LOST): Finding {
  return { rule: "test-removed", category: "testing", severity: "high", ...LOST[how], file };
}

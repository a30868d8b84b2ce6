import { rm } from "node:fs/promises";
import { isShared, type Repo } from "../git/index.ts";
import type { Shown } from "../git/reading-copy.ts";
import type { Capabilities, ReviewAnswer } from "../ports.ts";
import { endLeftovers, foldersToKeep, forgetCopy, isKept, ownTemporary, probeSandbox } from "../sandbox/index.ts";
import { noteCopy } from "../sandbox/reading-copies.ts";

export type { Shown } from "../git/reading-copy.ts";

/** Lends a tree at a commit. */
export interface Lender {
  /** Where that is a repository of its own, which takes a base, `shown` says what the change is in there. */
  lend<T>(head: string, work: (repo: Repo, shown?: Shown) => Promise<T>, base?: string): Promise<T>;
  /** The work tree of whoever asks for reviews, in which readers have no business. */
  beside?: Repo;
}

/** Who reads, and at which head. */
interface Reader {
  name: string;
  head: string;
  base?: string;
  /** What it says of itself: one with a sandbox of its own (`os`) is in none of ours. */
  readOnly: Capabilities["readOnly"];
}

/** The one way in which agents that judge come to a tree: whoever changed something there has given no answer. */
export interface ReadingRoom {
  read(reader: Reader, work: (repo: Repo, shown?: Shown) => Promise<ReviewAnswer>): Promise<ReviewAnswer>;
  /** An empty folder, for who is asked about texts alone; from there the repository is out of reach like from a copy. */
  aside<T>(work: (folder: string) => Promise<T>): Promise<T>;
}

export function readingRoom(place: Lender): ReadingRoom {
  return {
    async read(reader, work) {
      const { settled, tampered: what, noted: changed } = await watchedReading(place, reader, work);
      if (what !== null) return tampered("answer" in settled ? settled.answer : UNHEARD, what);
      if ("error" in settled) throw settled.error;
      return changed === null ? settled.answer : noted(settled.answer, reader.name, changed);
    },
    async aside(work) {
      const folder = await ownTemporary("review");
      if (place.beside !== undefined) noteCopy(folder, place.beside.root);
      try {
        return await work(folder);
      } finally {
        endLeftovers(folder);
        forgetCopy(folder);
        // What cannot be removed goes with what killed reviews left; it must not take the answer along.
        await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      }
    },
  };
}

/** What came of a reading. What was said counts only where nobody tampered. */
export interface Reading<T> {
  settled: { answer: T } | { error: unknown };
  tampered: string | null;
  /** What somebody else, who is trusted to have been another, changed meanwhile. */
  noted: string | null;
}

/** The same for readers that are asked for something else than a review. */
export function watchedReading<T>(
  place: Lender,
  { name, head, base, readOnly }: Reader,
  work: (repo: Repo, shown?: Shown) => Promise<T>,
): Promise<Reading<T>> {
  const reading = async (repo: Repo, shown?: Shown): Promise<Reading<T>> => {
    const keeper = await keeperOf(repo, readOnly, place.beside);
    // Where we keep readers off the rest of the repository, whatever changes there is somebody else's doing.
    const own = keeper === "we" ? undefined : place.beside;
    // What a copy shares is nobody else's.
    const shared = keeper === "we" && shown === undefined ? "out-of-reach" : "compared";
    const underWay = await own?.outline();
    const before = await repo.snapshot({ shared });
    // A copy has refs of its own, and whoever finds the repository all the same must not move those either.
    const apart = shown === undefined ? undefined : own;
    const beside = await apart?.snapshot({ shared: "alone" });
    const settled = await work(repo, shown).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    const advice = await adviceFor(readOnly);
    const touched = await found(advice, async () => [
      ...(await repo.sameAs(before, { shared })),
      ...((beside && (await apart?.sameAs(beside, { shared: "alone" }))) ?? []),
    ]);
    if (touched !== null) return { settled, tampered: `${name} ${touched.what}`, noted: null };
    const meanwhile = await found(advice, async () => (underWay && (await own?.outlineChanges(underWay))) ?? []);
    if (meanwhile !== null && (keeper === "nobody" || meanwhile.isGrave))
      return { settled, tampered: unclear(name, meanwhile.what, advice), noted: null };
    return { settled, tampered: null, noted: meanwhile?.what ?? null };
  };
  return place.lend(head, reading, base);
}

const UNHEARD: Omit<ReviewAnswer, "report"> = { coverage: { reviewed: [], skipped: [] }, usage: {} };

/** What keeps a reader from writing outside of the tree that it is lent. */
async function keeperOf(
  lent: Repo,
  readOnly: Capabilities["readOnly"],
  beside: Repo | undefined,
): Promise<"we" | "itself" | "nobody"> {
  const folders = await foldersToKeep(lent.root);
  if (folders === null || (beside !== undefined && !isKept(folders, beside.root))) return "nobody";
  return readOnly === "os" ? "itself" : "we";
}

interface Found {
  what: string;
  /** It cannot be told what became of the repository, or it now says whom to trust. */
  isGrave: boolean;
}

/** What was changed; null where nothing was. Somebody who left a tree that cannot be compared any more has changed it. */
async function found(advice: Advice, changes: () => Promise<string[]>): Promise<Found | null> {
  try {
    const names = await changes();
    if (names.length === 0) return null;
    const what = `changed the repository (${names.slice(0, 3).join(", ")})${maybeYou(names, advice)}`;
    return { what, isGrave: names.includes(".automaker/settings.json") };
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { what: `left a repository that cannot be compared with what it was (${why})`, isGrave: true };
  }
}

/** Refs and settings people change all the time, and where readers are not kept off them it may have been one. */
function maybeYou(names: string[], advice: Advice): string {
  if (!names.every(isShared)) return "";
  const install = advice === "install" ? ", or install bubblewrap, which keeps reviewers off it," : "";
  return `, unless that was you: leave git alone during a review${install} and have it reviewed again`;
}

function unclear(name: string, changed: string, advice: Advice): string {
  const [without, install] = advice === "install" ? ["Without bubblewrap nothing", "install it, or "] : ["Nothing", ""];
  return `${name}, or somebody else meanwhile, ${changed} in your own work tree. ${without} here tells them apart: ${install}leave the work tree alone during a review`;
}

/** Whether a sandbox of ours would be of use that is not there: one that has its own is never put into it. */
type Advice = "install" | "none";

async function adviceFor(readOnly: Capabilities["readOnly"]): Promise<Advice> {
  return readOnly !== "os" && (await probeSandbox()).state === "missing" ? "install" : "none";
}

/** A sandbox of its own is trusted, and what it would have let through is still told. */
function noted(answer: ReviewAnswer, name: string, changed: string): ReviewAnswer {
  const { report } = answer;
  if (report.status === "inconclusive") return answer;
  const note = `While ${name} reviewed, somebody ${changed} in your own work tree. Its own sandbox should keep ${name} from that; if it was not you, look at it.`;
  return { ...answer, report: { ...report, notes: [...report.notes, note] } };
}

/** What it used and was told is still true; whether it would help to ask again is not known any more. */
function tampered(said: Omit<ReviewAnswer, "report">, what: string): ReviewAnswer {
  const { lasting: _, ...kept } = said;
  return { ...kept, report: { status: "inconclusive", reason: `tampered: ${what}` }, tampered: true };
}

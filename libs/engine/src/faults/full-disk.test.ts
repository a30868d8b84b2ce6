import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { runHere } from "./testing/in-process.ts";
import { leftovers } from "./testing/leftovers.ts";
import { type Load, makeLoad, SIX } from "./testing/load.ts";
import { type Outcome, outcomeOf } from "./testing/outcome.ts";
import { environmentOf } from "./testing/process.ts";

const { fixed = { steps: [] }, quick = { steps: [] } } = SIX;
const twoFeatures = () => makeLoad({ fixed, quick }, { testCommand: undefined, worktree: undefined });
const ENDED = ["fixed ended", "quick ended"];
const FILES =
  /(features|analytics)\/.+ was not written, and is as it was before; the disk is full: free some space on it/;
const RECORD = /^\w+: the transcript of an agent was lost: the disk is full: free some space on it/;
const LOG = /^\w+: The disk is full: could not write .+anneal\/log\.db .* Free some space on this disk, then try again/;

/** In a namespace of its own everybody may mount a small disk, where the system allows that. */
const NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"] as const;
const canMount = spawnSync(NAMESPACE[0], [...NAMESPACE.slice(1), "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

let calm: Outcome;
beforeAll(async () => {
  using load = twoFeatures();
  expect(await runHere(load)).toEqual({ settled: ENDED, broken: [], troubles: [] });
  calm = outcomeOf(load);
}, 120_000);

describe.skipIf(!canMount)("a disk that is really full in the middle of two loops", () => {
  test("under the files of the features: the loops go on in the log, the message says what to do, and the next run writes the files", () => {
    using load = twoFeatures();
    const { first, second } = onSmallDisk(load, { disk: ".automaker/features", size: "8m" });
    expect(first).toMatchObject({ settled: ENDED, broken: [] });
    expect(first.troubles.length).toBeGreaterThan(0);
    expect(first.troubles.filter((line) => !FILES.test(line))).toEqual([]);
    expect(second).toEqual({ settled: [], broken: [], troubles: [] });
    expect(outcomeOf(load)).toEqual(calm);
    expect(leftovers(load)).toEqual([]);
  });

  test.for([
    { what: "the log", disk: ".git/anneal", size: "8m" },
    { what: "the whole project", disk: ".", size: "230m" },
  ])(
    "under $what: the loops stop at their last event and say what to do, and the next run ends like a calm one",
    (small) => {
      using load = twoFeatures();
      const { first, second } = onSmallDisk(load, small);
      expect(first).toMatchObject({ settled: [], broken: [expect.stringMatching(LOG), expect.stringMatching(LOG)] });
      expect(first.troubles.filter((line) => ![FILES, RECORD, LOG].some((kind) => kind.test(line)))).toEqual([]);
      expect(second).toEqual({ settled: ENDED, broken: [], troubles: [] });
      expect(outcomeOf(load)).toEqual(calm);
      expect(leftovers(load)).toEqual([]);
    },
  );
});

type Ran = Awaited<ReturnType<typeof runHere>>;

const SCRIPT = fileURLToPath(import.meta.resolve("./testing/full-disk.ts"));
const MOUNTED = `cp -a "$1/." "$2" && mount -t tmpfs -o "size=$3" tmpfs "$1" && cp -a "$2/." "$1" && rm -r "$2" && shift 3 && exec "$@"`;

/** Runs the features with one of the project's folders on a small disk, which is full from the first commit on and then freed. */
function onSmallDisk(load: Load, { disk, size }: { disk: string; size: string }): { first: Ran; second: Ran } {
  const place = join(load.dir, disk);
  mkdirSync(place, { recursive: true });
  const away = `${load.dir}-away`;
  const script = [process.execPath, SCRIPT, load.dir, place, "fixed", "committed", away];
  const [program, ...args] = [...NAMESPACE, "sh", "-c", MOUNTED, "sh", place, away, size, ...script];
  try {
    const said = JSON.parse(execFileSync(program, args, { encoding: "utf8", env: environmentOf(load) }));
    expect(said.isFull).toBe(true);
    rmSync(place, { recursive: true });
    renameSync(away, place);
    return said;
  } finally {
    rmSync(away, { recursive: true, force: true });
  }
}

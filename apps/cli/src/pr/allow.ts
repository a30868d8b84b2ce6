import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import { allowPush, type ForgeConnection, mayPush } from "@anneal/engine/pull-requests";
import { json } from "../project/output.ts";
import { speaker } from "../project/person.ts";
import { harmlessLine } from "../style.ts";
import { forgeHere } from "./place.ts";

/** `anneal pr allow`. */
export async function allow(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: "boolean", default: false } } });
  const place = await forgeHere();
  await remember(place);
  const { remote, url } = place;
  process.stdout.write(
    values.json
      ? json({ allowed: true, remote, url })
      : `Allowed: branches of this project may be pushed to ${whereTo(place)}.\n`,
  );
  return 0;
}

type Place = ForgeConnection & { root: string };

/** Sees to it that somebody has agreed to push: by an option, by an answer, or before. */
export async function agreed(place: Place, { option, asks }: { option: boolean; asks: boolean }): Promise<void> {
  if (mayPush(place)) return;
  const where = whereTo(place);
  const why = place.noConsent === undefined ? "" : ` (${place.noConsent})`;
  if (option || (asks && (await answer(`Allow branches of this project to be pushed to ${where}?${why} [y/N] `)))) {
    return await remember(place);
  }
  throw new UsageError(
    `nothing is pushed to ${where} until you allow it${why}: run anneal pr allow once in this project, or use --allow-push`,
  );
}

export function whereTo({ remote, url }: ForgeConnection): string {
  return `${remote} (${harmlessLine(url)})`;
}

async function remember({ root, url }: Place): Promise<void> {
  await allowPush(root, { url, ...(await speaker("push")), at: systemClock.now() });
}

async function answer(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

import { join } from "node:path";
import { startPart } from "../parts.ts";
import type { Bench, Measure } from "../table.ts";

/** What lists of work items cost, and making and changing features. */
export function serverItemBenches(dir: string, quick: boolean): Record<string, () => Bench> {
  return {
    "a board of 1,000": () => board(join(dir, "items"), 1_000, quick ? 100 : 400, quick ? 30 : 100),
    "a board of 10,000": () => board(join(dir, "items"), 10_000, 60, 0),
  };
}

function board(dir: string, count: number, runs: number, writes: number): Bench {
  const { pages, bytes, list, rare, written } = startPart("server-items", dir, count, runs, writes);
  const size = `${pages} ${pages === 1 ? "page" : "pages"}, ${(bytes / 2 ** 20).toFixed(1)} MB`;
  const handler = (value: number) => ({ baseline: { name: "minimal Fastify handler, same bytes", value } });
  const measures: Measure[] = [
    { measure: "a page, CPU", ours: list.ours.cpuMs, ...handler(list.plain.cpuMs), unit: "ms", limit: 3 },
    { measure: "a page, time", ours: list.ours.ms, ...handler(list.plain.ms), unit: "ms" },
    { measure: "a page, CPU, once in 1.1 s", ours: rare.ours.cpuMs, ...handler(rare.plain.cpuMs), unit: "ms" },
  ];
  if (written !== null) {
    const { create, update, bare, handler: plain } = written;
    const alone = (value: number) => ({ baseline: { name: "bare atomic write", value } });
    const behind = (value: number) => ({ baseline: { name: "the same in a minimal handler", value } });
    measures.push(
      { measure: "create, time in the server", ours: create.insideMs, ...alone(bare.ms), unit: "ms", limit: 3 },
      { measure: "update, time in the server", ours: update.insideMs, ...alone(bare.ms), unit: "ms", limit: 3 },
      { measure: "create, time at the client", ours: create.ms, ...behind(plain.ms), unit: "ms", limit: 3 },
      { measure: "update, time at the client", ours: update.ms, ...behind(plain.ms), unit: "ms", limit: 3 },
      { measure: "create, time at the client", ours: create.ms, ...alone(bare.ms), unit: "ms" },
      { measure: "update, time at the client", ours: update.ms, ...alone(bare.ms), unit: "ms" },
      { measure: "minimal handler, at the client", ours: plain.ms, ...alone(bare.ms), unit: "ms" },
      { measure: "create, CPU", ours: create.cpuMs, ...behind(plain.cpuMs), unit: "ms", limit: 3 },
      { measure: "update, CPU", ours: update.cpuMs, ...behind(plain.cpuMs), unit: "ms", limit: 3 },
    );
  }
  return {
    title: `A board of ${count} features over HTTP (${size})`,
    measures,
    note: [
      "A bare atomic write is a temporary file, fsync, rename and fsync of the folder, in the process of the server. The client runs in",
      "another one, so that at the client a bare write has no part in what HTTP takes; a minimal handler has.",
    ].join("\n"),
  };
}

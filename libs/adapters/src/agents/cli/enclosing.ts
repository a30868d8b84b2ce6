import { lstatSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { AgentRequest } from "../../ports.ts";
import { probeSandbox } from "../../sandbox/index.ts";
import type { StartOptions } from "../../start-command.ts";
import { mayWrite } from "./roles.ts";
import type { AgentSetup } from "./setup.ts";

/** What an agent needs of the machine when it is shut in, and what of the work tree it must not see. */
interface Needs {
  /** Files and folders in the home folder, by which it is signed in. */
  login?: readonly string[];
  /** Files and folders at the top of the work tree from which it takes orders: hooks, plugins, tool servers. */
  obeys?: readonly string[];
  /** Folders of this run that it writes to. */
  writable?: readonly string[];
}

export interface Enclosing {
  options: Pick<StartOptions, "sandbox" | "network" | "writable" | "writableFolders" | "readable" | "hidden">;
  sandboxed: boolean;
}

/**
 * How an agent is shut in that does not keep its hands off files by itself. Reviewers and analysts run where they cannot
 * write, or not at all. Those who may write are shut into the work tree where that works. Nobody obeys the work tree.
 */
export async function enclosing(
  setup: AgentSetup,
  { role, cwd }: AgentRequest,
  { login = [], obeys = [], writable = [] }: Needs,
): Promise<Enclosing | { refused: string }> {
  const orders = ordersIn(cwd, obeys);
  const link = orders.find((name) => lstatSync(join(cwd, name)).isSymbolicLink());
  if (link !== undefined) return { refused: `may not work here, because ${link} in the work tree is a link` };
  const probe = await probeSandbox();
  if (probe.state !== "works") {
    const danger = dangerOf(role, orders);
    if (danger === undefined || setup.unsandboxed === "allowed")
      return { options: { sandbox: "off" }, sandboxed: false };
    return {
      refused: `${danger}: ${probe.reason}. Install bubblewrap, or allow it explicitly with unsandboxed: "allowed".`,
    };
  }
  const home = setup.env?.HOME ?? process.env.HOME ?? homedir();
  return {
    sandboxed: true,
    options: {
      sandbox: "auto",
      network: "allowed",
      writable: mayWrite(role) ? "cwd" : "none",
      writableFolders: [...writable, ...(setup.writable ?? [])],
      readable: [
        ...login.map((path) => join(home, path)),
        ...(setup.command ?? []).slice(1).filter(isFile),
        ...gitFolders(cwd),
        ...(setup.readable ?? []),
      ],
      hidden: orders.map((name) => join(cwd, name)),
    },
  };
}

/** Which of these the work tree has. */
export function ordersIn(cwd: string, obeys: readonly string[]): string[] {
  return obeys.filter((name) => lstatSync(join(cwd, name), { throwIfNoEntry: false }) !== undefined);
}

function dangerOf(role: AgentRequest["role"], [order]: string[]): string | undefined {
  if (!mayWrite(role)) return `may not work as ${role}, because nothing would keep it from changing files`;
  if (order === undefined) return undefined;
  return `may not work here, because nothing would keep it from obeying ${order} of the work tree`;
}

/** A script that a program is started with. */
function isFile(word: string): boolean {
  return isAbsolute(word) && statSync(word, { throwIfNoEntry: false })?.isFile() === true;
}

/** Where a linked work tree has its history. */
function gitFolders(cwd: string): string[] {
  const link = join(cwd, ".git");
  if (!statSync(link, { throwIfNoEntry: false })?.isFile()) return [];
  const own = /^gitdir: (.+)$/m.exec(readFileSync(link, "utf8"))?.[1];
  if (own === undefined) return [];
  const folder = resolve(cwd, own);
  try {
    return [folder, resolve(folder, readFileSync(join(folder, "commondir"), "utf8").trim())];
  } catch {
    return [folder];
  }
}

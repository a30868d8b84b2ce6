import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "../ports.ts";
import { ForgeError } from "./contract/errors.ts";
import type { Forge } from "./contract/port.ts";
import { isFakeForge, openFakeForge } from "./fake/index.ts";

/** The part of the settings that says which forge a project uses; without it the remote's address decides. */
export interface ForgeSettings {
  /** `fake:` for the remote itself, `fake:PATH` for another folder, `none` for no forge at all. */
  forge?: unknown;
}

export interface ForgeOptions {
  /** What relative addresses start from. */
  root?: string;
  clock?: Clock;
}

/** How each kind of forge is named in the settings and recognised by its address. */
const KINDS = {
  fake: {
    recognises: async (address: string, root: string) => {
      const dir = folderOf(address, root);
      return dir !== null && (await isFakeForge(dir));
    },
    open: (address: string, root: string, { clock }: ForgeOptions): Promise<Forge> =>
      openFakeForge(folderOf(address, root) ?? address, clock === undefined ? {} : { clock }),
  },
} satisfies Record<string, Kind>;

interface Kind {
  recognises(address: string, root: string): Promise<boolean>;
  open(address: string, root: string, options: ForgeOptions): Promise<Forge>;
}

/** The forge of a project, or null where it has none that we know. */
export async function forgeFor(
  remoteUrl: string | null,
  settings: ForgeSettings = {},
  options: ForgeOptions = {},
): Promise<Forge | null> {
  const root = options.root ?? process.cwd();
  const wanted = wantedForge(settings);
  if (wanted === "none") return null;
  if (wanted !== null) {
    const address = wanted.address === "" ? remoteUrl : wanted.address;
    if (address !== null) return KINDS[wanted.kind].open(address, root, options);
    throw new ForgeError(
      "no-forge",
      `the setting "forge" is ${wanted.kind}, but the project has no remote: add one with git remote add`,
    );
  }
  if (remoteUrl === null) return null;
  for (const kind of Object.values(KINDS)) {
    if (await kind.recognises(remoteUrl, root)) return kind.open(remoteUrl, root, options);
  }
  return null;
}

function wantedForge({ forge }: ForgeSettings): "none" | { kind: keyof typeof KINDS; address: string } | null {
  if (forge === undefined || forge === null) return null;
  if (forge === "none") return "none";
  const [, name = "", address = ""] = typeof forge === "string" ? (/^([a-z]+):(.*)$/s.exec(forge) ?? []) : [];
  if (isKind(name)) return { kind: name, address };
  const allowed = [...Object.keys(KINDS).map((kind) => `"${kind}:"`), '"none"'].join(", ");
  throw new ForgeError("invalid", `the setting "forge" is not valid: use one of ${allowed}, or remove it`);
}

function isKind(name: string): name is keyof typeof KINDS {
  return Object.hasOwn(KINDS, name);
}

/** The folder behind a path or a file address; null for anything on another machine. */
function folderOf(address: string, root: string): string | null {
  if (/^file:\/\//i.test(address)) {
    try {
      return fileURLToPath(address);
    } catch {
      return null;
    }
  }
  // scp-like addresses (`git@host:path`) and URLs name a host before the first colon.
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) || /^[^/\\]+:/.test(address)) return null;
  return isAbsolute(address) ? address : resolve(root, address);
}

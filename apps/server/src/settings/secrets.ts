import { SECRET_SET } from "@anneal/types";
import { isRecord } from "@anneal/types/unknown";

type Path = readonly string[];

/** Settings with everything that is secret covered. What is covered can be sent back: it then stays what it was. */
export function masked(value: unknown, path: Path = []): unknown {
  if (typeof value === "string") return value !== "" && isSecret(path, value) ? SECRET_SET : value;
  return mapped(value, (one, key) => masked(one, [...path, key]));
}

/** A change with what was covered put back; `lost` names the places where there is nothing to put back. */
export function unmasked(change: unknown, current: unknown): { value: unknown; lost: string[] } {
  const lost: string[] = [];
  const restore = (value: unknown, was: unknown, path: Path): unknown => {
    if (value !== SECRET_SET) return mapped(value, (one, key) => restore(one, at(was, key), [...path, key]));
    if (typeof was !== "string") lost.push(path.join("."));
    return was;
  };
  return { value: restore(change, current, []), lost };
}

const NAMED_SECRET = /(key|token|secret|passw(or)?d|credentials?|auth(orization)?|webhook(url)?)$/i;
/** Everything in such an object is covered: what an agent gets in its environment, what goes out with a request, who logs in. */
const HOLDS_SECRETS = ["env", "headers", "auth"];
const WITH_LOGIN = /[a-z][a-z0-9+.-]*:\/\/[^\s/@]+@/i;

function isSecret(path: Path, value: string): boolean {
  const [name = "", parent = ""] = path.toReversed();
  // Whoever knows such an address can post there.
  if (name === "url" && parent === "webhook") return true;
  return HOLDS_SECRETS.includes(parent) || NAMED_SECRET.test(name) || WITH_LOGIN.test(value);
}

function mapped(value: unknown, act: (one: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one, index) => act(one, String(index)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, act(one, key)]));
}

function at(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

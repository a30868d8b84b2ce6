import { hostname, networkInterfaces } from "node:os";

/** Names under which a server on this machine is meant by everybody. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export interface OwnAddresses {
  isOwnHost(header: string): boolean;
  /** Whether a page of the server itself asks, as the Host header of the same request names it. */
  isOwnOrigin(header: string, host: string): boolean;
}

/** Which Host and Origin headers are ours. Pages of others can point their own names at this machine, but not change these. */
export function ownAddresses({
  host,
  port,
  names = [],
  machine = machineNames,
}: {
  host: string;
  port: number;
  /** Further names by which people reach it. */
  names?: readonly string[];
  machine?: () => string[];
}): OwnAddresses {
  const withPort = (name: string) => [`${name}:${port}`, ...(port === 80 ? [name] : [])];
  // In front of such a name may stand a proxy with a port of its own, or with the usual one, which browsers leave out.
  const further = names
    .map((name) => name.toLowerCase())
    .flatMap((name) => (hasPort(name) ? [name] : [`${name}:${port}`, name]));
  const isAny = isAnyInterface(host);
  const always = new Set([
    ...[...(isAny || isLoopback(host) ? LOOPBACK : []), host].map(bracketed).flatMap(withPort),
    ...further,
  ]);
  const isOwnHost = (header: string) => {
    const given = header.toLowerCase();
    return always.has(given) || (isAny && machine().map(bracketed).flatMap(withPort).includes(given));
  };
  return {
    isOwnHost,
    isOwnOrigin: (header, asked) => {
      const [, scheme, given] = /^(https?):\/\/([^/@]+)$/.exec(header.toLowerCase()) ?? [];
      if (given === undefined) return false;
      const usual = scheme === "https" ? 443 : 80;
      const [from, to] = [given, asked.toLowerCase()].map((one) => (hasPort(one) ? one : `${one}:${usual}`));
      return from === to && isOwnHost(asked);
    },
  };
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function isAnyInterface(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** Asked anew each time: a machine that moves to another network gets other addresses. */
function machineNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  return [hostname(), `${hostname()}.local`, ...addresses];
}

function hasPort(name: string): boolean {
  return /:\d+$/.test(name) && (!name.startsWith("[") || /\]:\d+$/.test(name));
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host.toLowerCase();
}

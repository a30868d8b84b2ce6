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
  const known = () =>
    [...(isAnyInterface(host) ? [...LOOPBACK, ...machine()] : isLoopback(host) ? LOOPBACK : []), host, ...names]
      .map(bracketed)
      .flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);
  const isOwnHost = (header: string) => known().includes(header.toLowerCase());
  return {
    isOwnHost,
    isOwnOrigin: (header, asked) => {
      const given = /^https?:\/\/([^/@]+)$/.exec(header.toLowerCase())?.[1];
      if (given === undefined) return false;
      const [from, to] = [given, asked.toLowerCase()].map((one) => (/:\d+$/.test(one) ? one : `${one}:80`));
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

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host.toLowerCase();
}

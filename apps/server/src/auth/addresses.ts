/** Names under which a server on this machine is meant by everybody. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Which Host and Origin headers are ours. Pages of others can point their own names at this machine, but not change these. */
export function ownAddresses(
  host: string,
  port: number,
): { isOwnHost(header: string | undefined): boolean; isOwnOrigin(header: string): boolean } {
  const names = isAnyInterface(host) ? null : [...new Set([...(isLoopback(host) ? LOOPBACK : []), bracketed(host)])];
  const hosts =
    names === null ? null : new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]));
  const isOwnHost = (header: string | undefined): boolean => {
    if (header === undefined) return false;
    const given = header.toLowerCase();
    // On every interface any name may be right, but a name without our port is not.
    return hosts === null ? isHost(given) && (given.endsWith(`:${port}`) || port === 80) : hosts.has(given);
  };
  return {
    isOwnHost,
    isOwnOrigin: (header) => {
      const given = /^https?:\/\/([^/]+)$/.exec(header.toLowerCase())?.[1];
      return given !== undefined && isOwnHost(given.includes(":") ? given : `${given}:80`);
    },
  };
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function isAnyInterface(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host.toLowerCase();
}

function isHost(text: string): boolean {
  return /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/.test(text);
}

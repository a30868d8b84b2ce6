/** An address as a path of this server; null where it leads elsewhere. */
export function ownAddress(address: string, origin: string): string | null {
  if (!/^\/(?![/\\])/.test(address)) return null;
  const url = URL.parse(address, origin);
  return url?.origin === origin ? `${url.pathname}${url.search}${url.hash}` : null;
}

import { UsageError } from "@anneal/engine";

type Place = { host: string; port: number };

/** Listens, or says what is wrong with the address; only whoever started the server can choose another. */
export async function listening<T>({ host, port }: Place, listen: Promise<T>): Promise<T> {
  try {
    return await listen;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const why = WHY[code];
    throw why === undefined ? error : new UsageError(why({ host, port }), { cause: error });
  }
}

export function isInUse(error: unknown): boolean {
  const cause = error instanceof UsageError ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
}

const nowhere = ({ host }: Place) => `${host} is not an address of this machine: choose another with --host`;
const WHY: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `port ${port} of ${host} is in use: choose another with --port, or stop the program that uses it`,
  EACCES: ({ host, port }) => `port ${port} of ${host} needs root: choose a port above 1023`,
  EADDRNOTAVAIL: nowhere,
  ENOTFOUND: nowhere,
  EAI_AGAIN: nowhere,
};

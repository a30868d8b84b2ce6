import type { LoadedSettings } from "@anneal/adapters/files";
import type { ProviderLimits } from "@anneal/types";

/** Limits by provider, as the settings hold them. */
export type ProviderSettings = Readonly<Record<string, ProviderLimits>>;

export interface Limits {
  maxConcurrency: number;
  retries: number;
  backoffMs: number;
  maxBackoffMs: number;
}

const DEFAULTS: Limits = { maxConcurrency: 4, retries: 5, backoffMs: 5_000, maxBackoffMs: 300_000 };

/** What holds for one provider. */
export function limitsFor(provider: string, settings: ProviderSettings): Limits {
  const own = Object.hasOwn(settings, provider) ? settings[provider] : undefined;
  const { maxConcurrency, retries, backoffMs, maxBackoffMs } = own ?? {};
  return {
    maxConcurrency: maxConcurrency ?? DEFAULTS.maxConcurrency,
    retries: retries ?? DEFAULTS.retries,
    backoffMs: backoffMs ?? DEFAULTS.backoffMs,
    maxBackoffMs: maxBackoffMs ?? DEFAULTS.maxBackoffMs,
  };
}

/** The limits that both settings files name, the project's over the global ones, key by key. */
export function providersOf({ project, global }: Pick<LoadedSettings, "project" | "global">): ProviderSettings {
  const names = new Set([...Object.keys(global.providers ?? {}), ...Object.keys(project.providers ?? {})]);
  return Object.fromEntries(
    [...names].map((name) => [name, { ...global.providers?.[name], ...project.providers?.[name] }]),
  );
}

/** No provider means a longer wait than this; more is a misreading, and would overflow a timer. */
const LONGEST_MS = 86_400_000;

/**
 * How long nobody asks a provider after it turned runs away for the n-th time in a row: doubled each time up to a cap,
 * never less than it asked for, and spread, so that processes do not come back all at once.
 */
export function backoff(
  strikes: number,
  retryAfterMs: number | null,
  { backoffMs, maxBackoffMs }: Pick<Limits, "backoffMs" | "maxBackoffMs">,
  random: () => number,
): number {
  const half = Math.min(backoffMs * 2 ** (strikes - 1), maxBackoffMs) / 2;
  const asked = retryAfterMs !== null && retryAfterMs > 0 ? retryAfterMs : 0;
  return Math.min(Math.ceil(Math.max(asked, half) + random() * half), LONGEST_MS);
}

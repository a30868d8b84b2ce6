import type { RedTests, TestTotals } from "@anneal/types";

/** What a red run asks of the fixes for it. What failed before the change as well is not asked to pass. */
export function redTests({ ran, skipped, passed, failed }: TestTotals, preexisting: readonly string[]): RedTests {
  const named = [...new Set(failed)].flatMap((name) => {
    const known = preexisting.filter((one) => endsIn(one, name)).length;
    const red = times(failed, name) - known;
    return red > 0 ? [{ name, times: times(passed, name) + red }] : [];
  });
  return { ran, skipped, named };
}

/** Several red runs before a commit: the first may have ended early, so what later ones ran counts, too. */
export function redTogether(first: RedTests | undefined, later: RedTests | undefined): RedTests | undefined {
  if (first === undefined || later === undefined) return first ?? later;
  const more = later.named.filter(({ name }) => !first.named.some((one) => one.name === name));
  // What a fix has switched off meanwhile stays switched off: only the first run says what may be.
  return { ran: Math.max(first.ran, later.ran), skipped: first.skipped, named: [...first.named, ...more] };
}

/** What a green run does not show of what was red, in words. A run without output shows nothing. */
export function notSeen(red: RedTests, totals: TestTotals | null): string[] {
  const { ran, skipped, passed } = totals ?? { ran: 0, skipped: 0, passed: [] };
  const missing = red.named.filter(({ name, times: due }) => times(passed, name) < due).map(({ name }) => `"${name}"`);
  const gone = missing.length === 1 ? "failed before and is not among" : "failed before and are not among";
  return [
    ...(missing.length === 0 ? [] : [`${listed(missing)} ${gone} the tests that passed`]),
    ...(ran < red.ran ? [`only ${ran} tests ran, but ${red.ran} while the checks failed`] : []),
    ...(skipped > red.skipped ? [`${skipped} tests are skipped, but ${red.skipped} were before`] : []),
  ];
}

function listed(names: string[]): string {
  const rest = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `${names.slice(0, 5).join(", ")}${rest}`;
}

/** Names of failures come with their file or package in front. */
function endsIn(full: string, name: string): boolean {
  return full === name || (full.endsWith(name) && /[ .:]$/.test(full.slice(0, -name.length)));
}

function times(names: readonly string[], name: string): number {
  return names.filter((one) => one === name).length;
}

/** The one of some branches next to which git cannot hold another, as one name would be a folder of the other. */
export function inTheWayOf(wanted: string, others: readonly string[]): string | undefined {
  return others.find((other) => wanted.startsWith(`${other}/`) || other.startsWith(`${wanted}/`));
}

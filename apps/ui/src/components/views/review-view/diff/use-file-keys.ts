import { useOffer } from "../../../../shortcuts/use-offer.ts";

/** Keys that go from file to file of a diff. */
export function useFileKeys(files: readonly string[], now: string | undefined, go: (file: string) => void): void {
  const at = now === undefined ? 0 : Math.max(files.indexOf(now), 0);
  const step = (by: number) => () => {
    const file = files[Math.min(Math.max(at + by, 0), files.length - 1)];
    if (file !== undefined) go(file);
  };
  useOffer([
    { id: "file-next", title: "Next file", group: "Diff", key: "n", run: step(1) },
    { id: "file-previous", title: "Previous file", group: "Diff", key: "p", run: step(-1) },
  ]);
}

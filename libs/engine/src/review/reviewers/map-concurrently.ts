/** Works on a list, so many at once and in order, until one result is the last that is wanted; what was not begun is left out. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
  isLast: (result: R) => boolean,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let stopped = false;
  const worker = async () => {
    for (;;) {
      const index = next;
      const item = items[index];
      if (stopped || item === undefined) return;
      next += 1;
      try {
        const result = await work(item, index);
        results[index] = result;
        if (isLast(result)) stopped = true;
      } catch (error) {
        stopped = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const failed = ended.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results;
}

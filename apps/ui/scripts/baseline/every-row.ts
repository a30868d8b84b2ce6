interface Options {
  count: number;
  estimateSize: (index: number) => number;
  getItemKey: (index: number) => string | number;
}

/** As the virtualiser that the board uses, for rows of one height; but every row is drawn, whether it is seen or not. */
export function useVirtualizer({ count, estimateSize, getItemKey }: Options) {
  const size = estimateSize(0);
  return {
    getTotalSize: () => count * size,
    getVirtualItems: () =>
      Array.from({ length: count }, (_, index) => ({ key: getItemKey(index), index, start: index * size, size })),
    scrollToIndex: () => {},
  };
}

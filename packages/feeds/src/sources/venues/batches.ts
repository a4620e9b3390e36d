/** Many things, a few at a time. */

/** In their order, so many at a time; the last batch may be smaller. */
export const batchesOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

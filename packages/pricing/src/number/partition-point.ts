/** Binary search over what is sorted. */

/**
 * Where items stop to satisfy a condition that holds for the first ones only.
 * @param length how many of the items count
 * @returns the index of the first item that does not satisfy it; `length` when all do
 */
export const partitionPoint = <T>(items: ArrayLike<T>, holds: (item: T) => boolean, length = items.length): number => {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // as: the index is below `length`.
    if (holds(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
};

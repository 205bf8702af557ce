/**
 * The last index whose number is at most `limit`, in numbers that never fall; -1 when all are larger. `count` bounds the
 * search to the first ones.
 */
export function lastAtMost(
  numbers: ArrayLike<number>,
  limit: number,
  count: number = numbers.length,
): number {
  return lastIndexWhere(count, (index) => (numbers[index] as number) <= limit);
}

/** The last index of which `holds` is true; it must be true of the first ones, and false of all others. */
export function lastIndexWhere(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

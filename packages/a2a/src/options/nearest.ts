/** A name beyond this length is no misspelling. It is not compared, because that takes long. */
const maxLength = 64;

/**
 * The known name that a misspelt one most likely stands for, in whatever case; none if all are too different.
 *
 * @param lettersPerMistake How many letters a name has for each mistake in it.
 */
export function nearestTo(
  name: string,
  known: Iterable<string>,
  lettersPerMistake = 3,
): string | undefined {
  if (name.length > maxLength) return undefined;
  const given = name.toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(given.length / lettersPerMistake)) + 1;
  for (const one of known) {
    const distance = distanceBetween(given, one.toLowerCase());
    if (distance < least) [nearest, least] = [one, distance];
  }
  return nearest;
}

/** How many letters have to be changed, added, left out or swapped with their neighbour. */
function distanceBetween(a: string, b: string): number {
  // What is much longer is no misspelling.
  if (Math.abs(a.length - b.length) > 8) return Infinity;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          at(row, j) + 1,
          at(next, j - 1) + 1,
          at(row, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, j - 2) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

/** The name that is most like a misspelt one; `undefined` when none is like it. A letter for each three may be wrong. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(written.length / 3));
  let [nearest, least]: [string | undefined, number] = [undefined, limit + 1];
  for (const name of names) {
    const edits = editsBetween(written, name);
    if (edits < least) [nearest, least] = [name, edits];
  }
  return nearest;
}

/** How many letters are to be put in, left out, replaced or swapped with the next one. */
function editsBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= from.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
}

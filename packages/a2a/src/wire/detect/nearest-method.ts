/** A name beyond this length is no misspelling of a method. */
const maxLength = 64;

/** The method that a name most likely stands for, in whatever case; `undefined` when none is near. */
export function nearestMethod(name: string, methods: Iterable<string>): string | undefined {
  if (name.length > maxLength) return undefined;
  const given = name.toLowerCase();
  let nearest: string | undefined;
  let least = Math.floor(given.length / 4) + 1;
  for (const method of methods) {
    const distance = distanceBetween(given, method.toLowerCase());
    if (distance < least) [nearest, least] = [method, distance];
  }
  return nearest;
}

/** How many letters have to be changed, added or left out to make one text of the other. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

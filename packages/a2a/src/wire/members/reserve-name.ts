/** The name, or the name and a number, that is not taken yet. Takes it. */
export function reserveName(name: string, taken: Set<string | undefined>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  taken.add(free);
  return free;
}

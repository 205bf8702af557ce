/** How much something takes up in a log, roughly: the characters of its JSON. */
export function weigh(value: object): number {
  return JSON.stringify(value).length;
}

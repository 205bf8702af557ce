const counts = new Map<string, number>();

/** Counts an answer, so that a run shows how far its requests got. */
export function count(answer: string): void {
  counts.set(answer, (counts.get(answer) ?? 0) + 1);
}

/** The answers, most frequent first. */
export function printTally(): string {
  const sorted = Array.from(counts).toSorted(([, left], [, right]) => right - left);
  return sorted.map(([answer, times]) => `${answer}: ${times}`).join(", ");
}

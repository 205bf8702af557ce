/** A stretch of a text that two texts have in common, or only one of them. */
export interface TextStretch {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Longer texts are compared by lines: words of them would take long, and nobody would read them. */
const wordLimit = 4000;

/** How one text became another. The package that compares is loaded when it is first needed. */
export async function diffTexts(before: string, after: string): Promise<readonly TextStretch[]> {
  const { diffLines, diffWordsWithSpace } = await import("diff");
  const isLong = before.length + after.length > wordLimit || before.includes("\n");
  const changes = isLong
    ? diffLines(before, after, { timeout: 200 })
    : diffWordsWithSpace(before, after, { timeout: 200 });
  if (changes === undefined) {
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ];
  }
  return changes.map(({ value, added, removed }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

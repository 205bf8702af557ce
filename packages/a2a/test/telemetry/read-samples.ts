/** A value, with its name and labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads what a server exposes. A line that is no sample is an error, so that the format is checked on the way. */
export function readSamples(text: string): readonly Sample[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name, labels = "", value] =
        /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: # \{.*\} \S+ \S+)?$/u.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`);
      const pairs = labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\.)*)"(?:,|$)/gu);
      return {
        name,
        labels: Object.fromEntries(Array.from(pairs, ([, key, one]) => [key, one])) as Record<
          string,
          string
        >,
        value: Number(value),
      };
    });
}

/** Scrapes a server. */
export async function scrape(url: string | undefined, accept = ""): Promise<string> {
  // The server writes its values ten times a second at most.
  await new Promise((resolve) => setTimeout(resolve, 110));
  const answer = await fetch(url ?? "", { headers: { accept } });
  return answer.text();
}

/** The sum of the samples of a name that have these labels. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (one) =>
      one.name === name &&
      Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

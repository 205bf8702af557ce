import process from "node:process";

/** `--full`: a million tasks instead of 100,000. `--series=a,b`: these series alone. */
export interface ClusterOptions {
  readonly isFull: boolean;
  readonly series: readonly string[] | undefined;
}

export function readOptions(words: readonly string[] = process.argv): ClusterOptions {
  const series = words.find((word) => word.startsWith("--series="));
  return {
    isFull: words.includes("--full"),
    series: series?.slice("--series=".length).split(","),
  };
}

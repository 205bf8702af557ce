/** Returns the value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

export function medianOf(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Divides value by value: both sides of a round met the same machine. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
}

/** Fits `cost = a × size ^ exponent` by least squares on logarithms, and returns the exponent. */
export function exponentOf(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const mean = (index: 0 | 1): number =>
    logs.reduce((sum, point) => sum + point[index], 0) / logs.length;
  const [meanSize, meanCost] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanSize) * (y - meanCost), 0);
  const variance = logs.reduce((sum, [x]) => sum + (x - meanSize) ** 2, 0);
  return covariance / variance;
}

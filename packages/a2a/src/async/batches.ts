/** Values that have come together, such as the events that one read of a socket brings. */
export type Batches<T> = AsyncGenerator<readonly T[], void, void>;

/** What a stream has beside its values that knows the batches in which they come. */
interface Batched<T> {
  readonly batches: Batches<T>;
}

/**
 * A stream of the values of batches. Each hop of a stream costs several promises: layers that know of batches pass on
 * a batch in one hop (`batchesOf`), and other readers get the values one by one.
 */
export function fromBatches<T>(batches: Batches<T>): AsyncGenerator<T, void, void> & Batched<T> {
  return Object.assign(oneByOne(batches), { batches });
}

/** The batches of a stream of which nothing has been read; batches of one where its values come one by one. */
export function batchesOf<T>(values: AsyncIterable<T> & Partial<Batched<T>>): Batches<T> {
  return values.batches ?? inBatchesOfOne(values);
}

async function* oneByOne<T>(batches: Batches<T>): AsyncGenerator<T, void, void> {
  for await (const batch of batches) for (const value of batch) yield value;
}

async function* inBatchesOfOne<T>(values: AsyncIterable<T>): Batches<T> {
  for await (const value of values) yield [value];
}

/**
 * Hands the same objects to many readers, each with its own iterator that waits for the next object. This is the
 * least that one `AsyncIterable` for every reader can cost.
 */
export async function fanOut(events: readonly unknown[], readers: number): Promise<void> {
  const said: unknown[] = [];
  let waiting: (() => void)[] = [];
  const reading = Array.from({ length: readers }, async () => {
    let seen = 0;
    for await (const event of read()) if (event !== undefined) seen += 1;
    return seen;
  });
  for (const event of events) {
    said.push(event);
    wake();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  const seen = await Promise.all(reading);
  if (seen.some((count) => count !== events.length)) throw new Error("a reader missed events");

  async function* read(): AsyncGenerator<unknown, void, void> {
    for (let next = 0; next < events.length; next += 1) {
      while (next >= said.length) await new Promise<void>((resolve) => waiting.push(resolve));
      yield said[next];
    }
  }

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  }
}

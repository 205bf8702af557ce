/** The bytes of a body as they come. Tells of each before it waits for the next. A reader that leaves early closes the connection. */
export async function* bodyPieces(
  body: ReadableStream<Uint8Array>,
  onActivity?: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      onActivity?.();
      const { value } = await reader.read();
      if (value === undefined) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

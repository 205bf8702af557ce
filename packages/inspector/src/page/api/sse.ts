/** One event of a stream of the backend. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/** Reads server-sent events. `EventSource` cannot send a token, so the page reads bodies of `fetch`. */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerEvent, void, undefined> {
  // Of the event that is not whole yet: what was looked through, and the end of it, where its last line may be cut. What
  // was looked through is not looked at again, however long the event gets.
  let pieces: string[] = [];
  let tail = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (tail + value).split(/\r?\n\r?\n/);
      const rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseBlock([...pieces, block].join(""));
        pieces = [];
        if (event !== undefined) yield event;
      }
      const end = Math.max(0, rest.length - 3);
      pieces.push(rest.slice(0, end));
      tail = rest.slice(end);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): ServerEvent | undefined {
  const data: string[] = [];
  let event = "message";
  let id: string | undefined;
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id") id = value;
  }
  if (data.length === 0) return undefined;
  return { event, data: data.join("\n"), ...(id === undefined ? {} : { id }) };
}

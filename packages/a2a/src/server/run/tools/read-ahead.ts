import { createDeferred } from "../../../async/internal.js";
import type { Output } from "../../author/output.js";
import type { Streamable } from "../../author/run-context.js";
import { weigh } from "../../../store/internal.js";

/** How much may be read ahead of the log before the source has to wait, in characters. */
const maxAhead = 64 * 1024;

type Chunk = Output | null | undefined;

/**
 * Reads a source as it comes and gives what has arrived: text that has piled up behind a slow disk comes as one
 * chunk. Skips empty chunks.
 */
export async function* readAhead(source: Streamable): AsyncGenerator<Output, void, void> {
  const chunks = iteratorOf(source);
  const arrived: Output[] = [];
  /** The weight of what has arrived. */
  let ahead = 0;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let changed = createDeferred<void>();
  const announce = (): void => {
    changed.resolve();
    changed = createDeferred();
  };
  const read = async (): Promise<void> => {
    try {
      for (;;) {
        const next = await chunks.next();
        if (next.done === true || isOver) break;
        if (next.value === undefined || next.value === null || next.value === "") continue;
        arrived.push(next.value);
        ahead += sizeOf(next.value);
        announce();
        while (ahead > maxAhead && !isOver) await changed.promise;
      }
    } catch (error) {
      failure = { error };
    }
    isOver = true;
    announce();
  };
  void read();
  try {
    for (;;) {
      const output = takeNext(arrived);
      if (output !== undefined) {
        ahead = arrived.length === 0 ? 0 : ahead - sizeOf(output);
        yield output;
        announce();
      } else if (failure !== undefined) throw failure.error;
      else if (isOver) return;
      else await changed.promise;
    }
  } finally {
    isOver = true;
    announce();
    // The source is not awaited: one that never ends must not hold up the handler.
    void close(chunks);
  }
}

/** Takes all the text at the front as one chunk, or else the output there. */
function takeNext(arrived: Output[]): Output | undefined {
  let text = "";
  for (;;) {
    const [first] = arrived;
    if (typeof first !== "string") return text === "" ? arrived.shift() : text;
    text += first;
    arrived.shift();
  }
}

function sizeOf(chunk: Output): number {
  return typeof chunk === "string" ? chunk.length : weigh(chunk);
}

/** Lets a source know that nobody reads it any more. What it throws then does not matter to anybody. */
async function close(chunks: AsyncIterator<unknown>): Promise<void> {
  try {
    await chunks.return?.();
  } catch {
    // The stream has its end, or its failure.
  }
}

function iteratorOf(source: Streamable): AsyncIterator<Chunk, unknown, void> {
  if (!("getReader" in source)) return source[Symbol.asyncIterator]();
  // Not every platform can iterate over its streams.
  const reader = source.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

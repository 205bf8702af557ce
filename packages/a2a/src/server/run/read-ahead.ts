import { createDeferred } from "../../async/internal.js";
import type { Output } from "../author/output.js";
import type { Streamable } from "../author/run-context.js";

/** How many characters may be read ahead of the log. */
const maxAhead = 64 * 1024;

type Chunk = Output | null | undefined;

/**
 * Reads a source as it comes and gives what has arrived: text that has piled up behind a slow disk comes as one
 * chunk. Skips empty chunks.
 */
export async function* readAhead(source: Streamable): AsyncGenerator<Output, void, void> {
  const chunks = iteratorOf(source);
  const arrived: Output[] = [];
  let characters = 0;
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
        if (typeof next.value === "string") characters += next.value.length;
        announce();
        while (characters > maxAhead && !isOver) await changed.promise;
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
      const text = takeText(arrived);
      if (text !== "") {
        characters = 0;
        yield text;
        announce();
        continue;
      }
      const output = arrived.shift();
      if (output !== undefined) yield output;
      else if (failure !== undefined) throw failure.error;
      else if (isOver) return;
      else await changed.promise;
    }
  } finally {
    isOver = true;
    announce();
    // The source is not awaited: one that never ends must not hold up the handler.
    void chunks.return?.().catch(() => undefined);
  }
}

/** Takes the text at the front. */
function takeText(arrived: Output[]): string {
  let text = "";
  for (;;) {
    const [first] = arrived;
    if (typeof first !== "string") return text;
    text += first;
    arrived.shift();
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

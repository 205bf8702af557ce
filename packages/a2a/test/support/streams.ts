import type { StreamEvent } from "@parley/a2a";

/** Reads a stream to its end. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Reads the first items of a stream, then leaves it. */
export async function take<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}

export interface Watching {
  readonly events: readonly StreamEvent[];
  readonly isOver: boolean;
  /** Resolves when the stream has ended. */
  readonly done: Promise<void>;
}

/** Reads a stream in the background, as fast as it comes. */
export function watchInBackground(stream: AsyncIterable<StreamEvent>): Watching {
  const events: StreamEvent[] = [];
  let isOver = false;
  const read = async (): Promise<void> => {
    try {
      for await (const event of stream) events.push(event);
    } finally {
      isOver = true;
    }
  };
  const done = read();
  done.catch(() => undefined);
  return {
    events,
    done,
    get isOver() {
      return isOver;
    },
  };
}

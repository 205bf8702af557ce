import type { ServerHttp2Stream } from "node:http2";

/** The bytes that a caller may send on a stream that nobody reads: its window, which HTTP/2 grants to every stream. */
export const windowBytes = 65_535;

/** Honest callers fill the window with a few frames of 16 KiB. */
const maxFrames = 128;

/**
 * Keeps the queue of a stream small while it is paused. Node queues each frame as a view of all that was read from
 * the socket with it: a frame of one byte costs a hundred times as much, and can hold on to 64 KiB. So frames are copied,
 * and a caller that sends too many of them is cut.
 */
export function boundQueue(stream: ServerHttp2Stream, cut: () => void): void {
  const push = stream.push.bind(stream);
  let frames = 0;
  stream.push = (chunk: Buffer | null): boolean => {
    if (chunk === null || !stream.isPaused()) return push(chunk);
    frames += 1;
    if (frames === maxFrames) cut();
    if (frames >= maxFrames) return false;
    const copy = Buffer.allocUnsafeSlow(chunk.length);
    chunk.copy(copy);
    return push(copy);
  };
}

import type { ServerResponse } from "node:http";
import type { PieceIterator, StreamedResponse } from "../http/internal.js";

type Piece = string | Uint8Array;

/** The streams that are written at the end of this turn of the event loop. */
let woken: StreamWriter[] = [];

/**
 * Writes a stream at the speed of its reader: while the socket is full, nothing is taken from the stream. What has come
 * within one turn of the event loop is written at its end, for all streams together. Between two events a writer
 * holds no promise and no closure: most streams are silent most of the time, and there may be thousands.
 */
export class StreamWriter {
  readonly #outgoing: ServerResponse;
  readonly #pieces: PieceIterator;
  readonly #heartbeat: StreamedResponse["heartbeat"];
  readonly #beat: NodeJS.Timeout | undefined;
  readonly #onEnd: () => void;
  /** Whether the stream has been waited for since it last gave a piece. */
  #hasWaited = false;
  #isCorked = true;
  #isOver = false;
  #hasEnded = false;

  /** Begins to write an answer. Calls back when it has ended, been left or failed. */
  constructor(
    outgoing: ServerResponse,
    { status, headers, stream, heartbeat }: StreamedResponse,
    onEnd: () => void,
  ) {
    // The headers leave together with the first event, if that comes in this turn, but are written by themselves: node keeps
    // those that it joins with an event as a rope of forty strings.
    outgoing.cork();
    outgoing.writeHead(status, headers);
    outgoing.flushHeaders();
    this.#outgoing = outgoing;
    this.#pieces = stream[Symbol.asyncIterator]();
    this.#heartbeat = heartbeat;
    this.#beat = heartbeat && setInterval(beat, heartbeat.everyMs, this);
    this.#onEnd = onEnd;
    this.wake();
  }

  wake(): void {
    if (woken.push(this) === 1) setImmediate(writeWoken);
  }

  /** Writes what is there, and waits for more. Never throws. */
  write(): void {
    try {
      if (!this.#isOver) this.#writeOn();
      if (this.#isCorked) this.#outgoing.uncork();
      this.#isCorked = false;
    } catch {
      this.#abort();
    }
  }

  beat(): void {
    if (!this.#outgoing.writableNeedDrain) this.#outgoing.write(this.#heartbeat?.text);
  }

  #writeOn(): void {
    while (!isGone(this.#outgoing)) {
      const piece = this.#pieces.take?.();
      if (piece === undefined) {
        this.#wait();
        return;
      }
      if (!this.#send(piece)) return;
    }
    this.#leave();
  }

  /** Waits to be woken. One that was, and has found nothing to take, reads how the stream goes on. */
  #wait(): void {
    const pieces = this.#pieces;
    if (this.#hasWaited || pieces.onReady === undefined) {
      pieces
        .next()
        .then((result) => this.#take(result))
        .catch(() => this.#abort());
      return;
    }
    this.#hasWaited = true;
    pieces.onReady(this);
  }

  #take(result: IteratorResult<Piece, undefined>): void {
    if (result.done === true) this.#end();
    else if (isGone(this.#outgoing)) this.#leave();
    else if (this.#send(result.value)) this.write();
  }

  /** Whether more can be written now. Otherwise it goes on by itself. */
  #send(piece: Piece): boolean {
    const outgoing = this.#outgoing;
    this.#hasWaited = false;
    this.#beat?.refresh();
    if (this.#pieces.isOver === true) {
      // The last piece leaves together with the end of the answer.
      const end = (): void => this.#end(piece);
      this.#pieces.next().then(end, end);
      return false;
    }
    outgoing.write(piece);
    if (!outgoing.writableNeedDrain) return true;
    void drained(outgoing, this.#pieces.isLarge === true).then(() => this.write());
    return false;
  }

  /** Nobody reads any more. */
  #leave(): void {
    this.#isOver = true;
    const end = (): void => this.#end();
    const leaving = this.#pieces.return?.();
    if (leaving === undefined) end();
    else leaving.then(end, end);
  }

  #abort(): void {
    this.#outgoing.destroy();
    this.#leave();
  }

  #end(piece?: Piece): void {
    if (this.#hasEnded) return;
    this.#isOver = this.#hasEnded = true;
    clearInterval(this.#beat);
    if (piece === undefined || isGone(this.#outgoing)) this.#outgoing.end();
    else this.#outgoing.end(piece);
    this.#onEnd();
  }
}

function writeWoken(): void {
  const writers = woken;
  woken = [];
  for (const writer of writers) writer.write();
}

function beat(writer: StreamWriter): void {
  writer.beat();
}

/** True when nobody reads the answer any more, also while it waits behind others. */
function isGone({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket.destroyed;
}

/** How long a reader of a large answer, which takes up memory until it is read, may read nothing of it. */
const stallMs = 60_000;

/** Resolves when the socket takes more, or is gone. Closes it when the reader of a large answer does not read. */
function drained(outgoing: ServerResponse, isLarge: boolean): Promise<void> {
  return new Promise((resolve) => {
    const { socket } = outgoing.req;
    const timer = isLarge ? setTimeout(() => socket.destroy(), stallMs) : undefined;
    const done = (): void => {
      clearTimeout(timer);
      outgoing.off("drain", done);
      outgoing.off("close", done);
      socket.off("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
    // Node does not tell an answer that waits behind others that its connection has gone.
    socket.on("close", done);
  });
}

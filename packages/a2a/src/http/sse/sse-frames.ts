import type { A2AError, StreamEvent } from "../../protocol/internal.js";
import type { Pieces } from "../large/encode-json.js";
import type { PieceIterator } from "../http-message.js";
import type { WakingEvents } from "./waking-events.js";

type Piece = string | Uint8Array;

/** How the events of a stream become the data of its frames. */
export interface SseEncoding {
  readonly encoder: {
    /** A text that several streams share may be given as its bytes. */
    textsOf(event: StreamEvent): readonly Piece[];
    /** The same for a large event, in turns with everyone else. */
    largeTextsOf(event: StreamEvent): Promise<readonly Pieces[]>;
  };
  /** What stands before and after the data of each event. */
  readonly envelope?: readonly [before: string, after: string];
  readonly encodeError: (error: A2AError) => string;
  /** The error that the caller gets for something thrown within the stream. */
  readonly failureOf: (error: unknown) => A2AError;
}

/** Events that have come meanwhile are joined to one piece of about this many characters. */
const pieceLength = 16_384;

const noEnvelope = ["", ""] as const;

/** A stream's events as the frames of an event stream. A failure is the last of them. */
export class SseFrames implements PieceIterator {
  readonly #events: WakingEvents;
  readonly #encoding: SseEncoding;
  /** An event that was read and is not framed yet. */
  #event: StreamEvent | undefined;
  /** What is left of a long piece, or of a large event. */
  #rest: Generator<Piece, void, void> | undefined;
  #isOver = false;
  /** Whether `#rest` is that of a large event. */
  #isLarge = false;

  constructor(events: WakingEvents, encoding: SseEncoding, first: StreamEvent | undefined) {
    this.#events = events;
    this.#encoding = encoding;
    this.#event = first;
  }

  take(): Piece | undefined {
    return this.#takeRest() ?? (this.#isOver ? undefined : this.#join());
  }

  get isOver(): boolean {
    if (this.#rest !== undefined || this.#event !== undefined) return false;
    return this.#isOver || this.#events.isOver === true;
  }

  get isLarge(): boolean {
    return this.#isLarge;
  }

  onReady(reader: { wake(): void }): void {
    if (this.#isOver || this.#rest !== undefined || this.#event !== undefined) reader.wake();
    else this.#events.onReady(reader);
  }

  async next(): Promise<IteratorResult<Piece, undefined>> {
    for (;;) {
      const value = this.take();
      if (value !== undefined) return { done: false, value };
      if (this.#isOver) return { done: true, value: undefined };
      try {
        if (this.#event !== undefined) await this.#openLarge(this.#event);
        else await this.#read();
      } catch (error) {
        return { done: false, value: this.#fail(error) };
      }
    }
  }

  async return(): Promise<IteratorResult<Piece, undefined>> {
    this.#end();
    await this.#events.return?.();
    return { done: true, value: undefined };
  }

  #takeRest(): Piece | undefined {
    const next = this.#rest?.next();
    if (next?.done === false) return next.value;
    this.#rest = undefined;
    this.#isLarge = false;
    return undefined;
  }

  /** The frames of the events that are there, up to a large one. */
  #join(): Piece | undefined {
    const { encoder, envelope = noEnvelope } = this.#encoding;
    let text = "";
    try {
      for (;;) {
        const event = (this.#event ??= this.#events.take());
        if (event === undefined || event.isLarge === true) break;
        this.#event = undefined;
        const texts = encoder.textsOf(event);
        if (texts.every(isText)) text += eventFrames(texts, event.sequence, envelope);
        else this.#rest = pieceFrames(texts.map(alone), event.sequence, envelope);
        if (this.#rest !== undefined || text.length >= pieceLength) break;
      }
    } catch (error) {
      return text + this.#fail(error);
    }
    if (text.length > 4 * pieceLength) this.#rest = piecesOf(text, this.#rest);
    return text === "" || text.length > 4 * pieceLength ? this.#takeRest() : text;
  }

  async #read(): Promise<void> {
    const next = await this.#events.next();
    if (next.done === true) await this.return();
    else this.#event = next.value;
  }

  async #openLarge(event: StreamEvent): Promise<void> {
    const { encoder, envelope = noEnvelope } = this.#encoding;
    const texts = await encoder.largeTextsOf(event);
    this.#rest = pieceFrames(texts, event.sequence, envelope);
    this.#isLarge = true;
    this.#event = undefined;
  }

  #fail(error: unknown): string {
    this.#end();
    void this.#events.return?.();
    return errorFrame(this.#encoding.failureOf(error), this.#encoding);
  }

  #end(): void {
    this.#isOver = true;
    this.#event = this.#rest = undefined;
    this.#isLarge = false;
  }
}

/** Only the last frame of an event has its id: a reader that lost one of the others gets all of them again. */
function eventFrames(
  texts: readonly string[],
  sequence: number | undefined,
  [before, after]: readonly [string, string],
): string {
  const [only] = texts;
  if (texts.length === 1 && sequence !== undefined) {
    return `id: ${sequence}\ndata: ${before}${only}${after}\n\n`;
  }
  let frames = "";
  for (const [index, text] of texts.entries()) {
    const id = sequence === undefined || index < texts.length - 1 ? "" : `id: ${sequence}\n`;
    frames += `${id}data: ${before}${text}${after}\n\n`;
  }
  return frames;
}

/** The same for texts in pieces that are shared with other streams, so that they are not put together. */
function* pieceFrames(
  texts: readonly (readonly Piece[])[],
  sequence: number | undefined,
  [before, after]: readonly [string, string],
): Generator<Piece, void, void> {
  for (const [index, pieces] of texts.entries()) {
    const id = sequence === undefined || index < texts.length - 1 ? "" : `id: ${sequence}\n`;
    yield `${id}data: ${before}`;
    yield* pieces;
    yield `${after}\n\n`;
  }
}

/** A text in pieces, so that the socket of a slow reader holds one of them and not all of a long text. */
function* piecesOf(text: string, rest: Iterable<Piece> | undefined): Generator<Piece, void, void> {
  let start = 0;
  while (text.length - start > 4 * pieceLength) {
    let end = start + 4 * pieceLength;
    // The two halves of a character stay together.
    if (isLeading(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
  if (rest !== undefined) yield* rest;
}

function isText(piece: Piece): piece is string {
  return typeof piece === "string";
}

function alone(piece: Piece): readonly Piece[] {
  return [piece];
}

function isLeading(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Tells readers that reconnect by themselves how long to wait. */
export function errorFrame(
  error: A2AError,
  { encodeError }: Pick<SseEncoding, "encodeError">,
): string {
  const { retryAfterSeconds } = error.details;
  const retry = retryAfterSeconds === undefined ? "" : `retry: ${retryAfterSeconds * 1000}\n`;
  return `${retry}data: ${encodeError(error)}\n\n`;
}

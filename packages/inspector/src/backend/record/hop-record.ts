import type { Frame, HeaderList, Hop, HopSummary } from "../../contract/index.js";
import { FrameReader } from "../../record/index.js";
import type { Redactor } from "../../record/index.js";
import type { BlockPool } from "./block-pool.js";
import type { Feed } from "./feed.js";
import { KeptPieces } from "./kept-pieces.js";

/** What is known of a hop when it begins. */
export type HopStart = Pick<Hop, "direction" | "method" | "url" | "requestHeaders"> &
  Partial<
    Pick<
      Hop,
      | "connection"
      | "operation"
      | "version"
      | "binding"
      | "dialect"
      | "taskId"
      | "requestBody"
      | "resentFrom"
    >
  > & {
    /** Finds out what the hop is about, once somebody looks. */
    readonly describe?: () => HopSubject;
  };

/** What a hop is about. */
export type HopSubject = Partial<
  Pick<Hop, "taskId" | "operation" | "version" | "binding" | "dialect">
>;

/** How often the pieces of a stream are read while somebody looks. */
const readEveryMs = 20;

/** The most that is kept of one body, and of all frames of a hop. */
const maxBody = 4 * 1024 * 1024;
const maxFrames = 20_000;
const maxFrameBytes = 16 * 1024 * 1024;

/**
 * A request and its answer while they are recorded. A server must not be slower for being inspected: what comes in waits as it
 * is, in memory, until somebody looks, and `#look` redacts it before anything of it is handed out. While the feed is read,
 * that is at once.
 */
export class HopRecord {
  readonly id: number;
  readonly #feed: Feed;
  readonly #grow: (bytes: number) => void;
  readonly #findRedactor: () => Redactor;
  /** Redacted. */
  #hop: Hop;
  #frames: Frame[] = [];
  #frameBytes = 0;
  #bytes = 0;
  /** What has happened and nobody has looked at yet. */
  #steps: (() => void)[] = [];
  readonly #pieces: KeptPieces;
  /** The memory that `#pieces` takes up. */
  #pieceBytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reader: FrameReader | undefined;
  #isOver = false;
  #isDropped = false;

  constructor(
    id: number,
    start: HopStart,
    {
      feed,
      redactor,
      grow,
      pool,
    }: {
      feed: Feed;
      redactor: () => Redactor;
      grow: (bytes: number) => void;
      pool: BlockPool;
    },
  ) {
    this.id = id;
    this.#pieces = new KeptPieces(pool);
    this.#feed = feed;
    this.#grow = grow;
    this.#findRedactor = redactor;
    const { direction, method, url, requestHeaders, requestBody } = start;
    const timing = { startedAt: Date.now() };
    this.#hop = { id, direction, method, url: "", requestHeaders: [], frames: [], timing };
    const body = requestBody === undefined ? undefined : this.#bounded(requestBody);
    this.#add(500 + url.length + sizeOf(requestHeaders) + (body?.length ?? 0));
    this.#later(() => {
      const { describe, requestBody: _, ...others } = start;
      this.#hop = {
        ...this.#hop,
        ...others,
        ...describe?.(),
        url: this.#redactor.text(url),
        requestHeaders: redacted(requestHeaders, this.#redactor),
        ...(body !== undefined && { requestBody: this.#redactor.text(body) }),
      };
    });
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What is known to be secret by now. */
  get #redactor(): Redactor {
    return this.#findRedactor();
  }

  whole(): Hop {
    this.#look();
    return { ...this.#hop, frames: [...this.#frames] };
  }

  summary(): HopSummary {
    this.#look();
    const {
      requestHeaders: _,
      requestBody: __,
      responseHeaders: ___,
      responseBody: ____,
      frames: _____,
      ...summary
    } = this.#hop;
    return { ...summary, frameCount: this.#frames.length, bytes: this.#bytes };
  }

  /** The answer has begun. */
  answer(status: number, headers: HeaderList): void {
    const firstByteAt = Date.now();
    this.#add(sizeOf(headers));
    this.#later(() => {
      this.#hop = {
        ...this.#hop,
        status,
        responseHeaders: redacted(headers, this.#redactor),
        timing: { ...this.#hop.timing, firstByteAt },
      };
    });
  }

  /** Frames have come, in one read. */
  frames(given: readonly Frame[]): void {
    if (given.length === 0) return;
    this.#look();
    this.#keep(given);
  }

  #keep(given: readonly Frame[]): void {
    const kept = given.flatMap((one) => this.#keepFrame(one) ?? []);
    if (this.#hop.timing.firstEventAt === undefined) {
      const first = given.find(({ kind }) => kind !== "comment");
      if (first)
        this.#hop = { ...this.#hop, timing: { ...this.#hop.timing, firstEventAt: first.at } };
    }
    const bytes = kept.reduce((sum, one) => sum + one.data.length + (one.hex?.length ?? 0) + 64, 0);
    this.#add(bytes);
    if (kept.length > 0) this.#feed.add({ kind: "frames", hop: this.id, frames: kept }, bytes);
  }

  /** A piece of an event stream has passed. */
  piece(piece: string | Uint8Array): void {
    if (this.#isDropped && !this.#feed.isRead) return;
    if (this.#pieceBytes <= maxFrameBytes) {
      const bytes = this.#pieces.add(piece, Date.now());
      this.#pieceBytes += bytes;
      if (bytes > 0) this.#add(bytes);
    } else if (this.#hop.isCut !== true) this.#hop = { ...this.#hop, isCut: true };
    if (this.#timer !== undefined || !this.#feed.isRead) return;
    this.#timer = setTimeout(() => this.#look(), readEveryMs).unref();
  }

  /** The exchange is over. */
  end({ body, error }: { readonly body?: string; readonly error?: string } = {}): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const endedAt = Date.now();
    const given = body === undefined ? undefined : this.#bounded(body);
    this.#add(given?.length ?? 0);
    this.#later(() => {
      const text = given === undefined ? undefined : this.#redactor.text(given);
      const taskId = this.#hop.taskId ?? taskIdIn(text);
      this.#hop = {
        ...this.#hop,
        ...(text !== undefined && { responseBody: text }),
        ...(error !== undefined && { error: this.#redactor.text(error) }),
        ...(taskId !== undefined && { taskId }),
        timing: { ...this.#hop.timing, endedAt },
      };
    });
  }

  /** Nobody can ask for the hop any more. Whoever reads the feed still hears of it. */
  drop(): void {
    this.#isDropped = true;
    if (!this.#feed.isRead) this.#pieces.clear();
  }

  /** Does something once somebody looks: now, if somebody does. */
  #later(step: () => void): void {
    this.#steps.push(step);
    this.#tell();
  }

  /** Reads and redacts what has come since somebody looked. All that leaves the record passes here. */
  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const step of this.#steps.splice(0)) step();
    if (this.#pieces.isEmpty) return;
    this.#add(-this.#pieceBytes);
    this.#pieceBytes = 0;
    const reader = (this.#reader ??= new FrameReader());
    const frames: Frame[] = [];
    this.#pieces.read(({ at, bytes }) => {
      for (const { end: _, ...frame } of reader.read(bytes)) frames.push({ at, ...frame });
    });
    if (frames.length > 0) this.#keep(frames);
  }

  #keepFrame(frame: Frame): Frame | undefined {
    if (this.#frames.length >= maxFrames || this.#frameBytes > maxFrameBytes) {
      this.#hop = { ...this.#hop, isCut: true };
      return undefined;
    }
    const data = this.#redactor.text(frame.data);
    // Bytes with a secret in them cannot be cut without being wrong.
    const hex = frame.hex !== undefined && data !== frame.data ? "[redacted]" : frame.hex;
    const kept = { ...frame, data, ...(hex !== undefined && { hex }) };
    this.#frames.push(kept);
    this.#frameBytes += data.length + (hex?.length ?? 0);
    const taskId = this.#hop.taskId ?? taskIdIn(data);
    if (taskId !== undefined && this.#hop.taskId === undefined) {
      this.#hop = { ...this.#hop, taskId };
      this.#tell();
    }
    return kept;
  }

  /** A body that is too long is redacted before it is cut, so that no half of a secret is left. */
  #bounded(body: string): string {
    if (body.length <= maxBody) return body;
    this.#hop = { ...this.#hop, isCut: true };
    return this.#redactor.text(body).slice(0, maxBody);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    this.#grow(bytes);
  }

  #tell(): void {
    if (this.#feed.isRead) this.#feed.add({ kind: "hop", hop: this.summary() }, 800);
  }
}

function redacted(headers: HeaderList, redactor: Redactor): HeaderList {
  return headers.map(([name, value]) => [name, redactor.header(name, value)] as const);
}

function sizeOf(headers: HeaderList): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}

/** The id of the task that a document names first. */
function taskIdIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const head = text.slice(0, 4096);
  const named = /"taskId"\s*:\s*"([^"\\]{1,200})"/.exec(head)?.[1];
  if (named !== undefined) return named;
  // A task has its own id beside its status or its context.
  if (!/"(?:contextId|sessionId)"/.test(head) || !/"status"/.test(head)) return undefined;
  return /"(?:task"\s*:\s*\{|result"\s*:\s*\{|kind"\s*:\s*"task",?)[^{}]*?"id"\s*:\s*"([^"\\]{1,200})"/.exec(
    head,
  )?.[1];
}

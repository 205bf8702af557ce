import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Channel, ChannelListener } from "../broadcast/channel.js";

/** At most one write in this time. What is published meanwhile goes into the next. */
const paceMs = 20;

/** Whoever finds the file longer than this empties it. */
const maxBytes = 1024 * 1024;

/** Ends each text. No text contains it. */
const end = "\n\n";

/**
 * A channel through a file to which every process appends, and which every process watches. The system says that the file
 * has grown; each reads from where it read last.
 */
export async function openFileChannel(path: string, listener: ChannelListener): Promise<Channel> {
  // Whoever could write to it could keep nodes awake.
  const file = await open(path, "a+", 0o600);
  try {
    const { size } = await file.stat();
    return new FileChannel({ path, file, size, listener });
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Parts {
  readonly path: string;
  readonly file: FileHandle;
  readonly size: number;
  readonly listener: ChannelListener;
}

class FileChannel implements Channel {
  readonly #parts: Parts;
  readonly #watcher: FSWatcher;
  /** Up to where the file was read. */
  #position: number;
  #reading: Promise<void> | undefined;
  #hasGrown = false;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#position = parts.size;
    this.#watcher = watch(parts.path, { persistent: false }, (event) => {
      if (event === "change") this.#readOn();
      else this.#fail(new Error(`${parts.path} was moved or removed`));
    });
    this.#watcher.on("error", (error) => this.#fail(error));
  }

  send(text: string): Promise<void> {
    const written = this.#writing.then(() => this.#write(text + end));
    this.#writing = written.then(
      () => pause(paceMs),
      () => undefined,
    );
    return written;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watcher.close();
    await Promise.allSettled([this.#writing, this.#reading]);
    await this.#parts.file.close();
  }

  async #write(text: string): Promise<void> {
    if (this.#isClosed) throw new Error("the channel is closed");
    const { file } = this.#parts;
    // Appended in one piece, whoever else writes.
    await file.write(text);
    if (this.#position > maxBytes) await file.truncate(0);
  }

  #readOn(): void {
    this.#hasGrown = true;
    this.#reading ??= this.#read()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => (this.#reading = undefined));
  }

  async #read(): Promise<void> {
    const { file, listener } = this.#parts;
    while (this.#hasGrown && !this.#isClosed) {
      this.#hasGrown = false;
      const { size, nlink } = await file.stat();
      if (nlink === 0) throw new Error(`${this.#parts.path} was removed`);
      if (size < this.#position) {
        // Somebody emptied the file. What was in it, unread, is lost.
        this.#position = 0;
        listener.miss();
      }
      const { buffer } = await file.read({
        buffer: Buffer.alloc(size - this.#position),
        position: this.#position,
      });
      const whole = buffer.subarray(0, buffer.lastIndexOf(end) + end.length);
      if (buffer.lastIndexOf(end) < 0) continue;
      this.#position += whole.length;
      for (const text of whole.toString().split(end)) if (text !== "") listener.hear(text);
    }
  }

  #fail(error: unknown): void {
    if (!this.#isClosed) this.#parts.listener.end(error);
  }
}

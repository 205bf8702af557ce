/** One byte that tells whether a message is compressed, and four with its length. */
export const prefixBytes = 5;

/** The memory that a writer keeps from one message to the next. */
const keptBytes = 16 * 1024;

/** Of a number of 64 bits. */
const maxVarintBytes = 10;

/** Shorter strings are copied faster here than by the platform. */
const shortString = 40;

/** It is worth the time to measure a longer string before there is room for it. */
const longString = 4096;

/**
 * Writes a message as it travels in gRPC: not compressed, and behind its length. It writes into one piece of memory, where
 * protobufjs makes an object of every value first. A nested message moves up when its length turns out to take more
 * than the byte that was left for it.
 */
export class MessageWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(keptBytes);
  #size = 0;
  /** Where the nested messages begin that are not finished. */
  readonly #starts: number[] = [];

  /** Begins a message, whatever became of the one before. */
  begin(): void {
    this.#size = prefixBytes;
    this.#starts.length = 0;
  }

  /** The message behind its prefix, in memory of its own. */
  finish(): Buffer {
    const bytes = this.#bytes;
    const size = this.#size;
    bytes[0] = 0;
    bytes.writeUInt32BE(size - prefixBytes, 1);
    if (bytes.length > keptBytes) {
      this.#bytes = Buffer.allocUnsafeSlow(keptBytes);
      return bytes.subarray(0, size);
    }
    const message = Buffer.allocUnsafe(size);
    bytes.copy(message, 0, 0, size);
    return message;
  }

  /** Begins a nested message. */
  fork(): this {
    this.#starts.push(this.#leave(1));
    return this;
  }

  /** Finishes a nested message. */
  ldelim(): this {
    this.#setLength(this.#starts.pop() ?? prefixBytes, 1);
    return this;
  }

  uint32(value: number): this {
    return this.#varint(value >>> 0);
  }

  int32(value: number): this {
    const integer = value | 0;
    return integer < 0 ? this.int64(integer) : this.#varint(integer);
  }

  int64(value: number): this {
    let low = value >>> 0;
    let high = Math.floor(value / 2 ** 32) >>> 0;
    this.#reserve(maxVarintBytes);
    while (high > 0) {
      this.#bytes[this.#size++] = (low & 127) | 128;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    return this.#varint(low);
  }

  bool(value: boolean): this {
    return this.#varint(value ? 1 : 0);
  }

  double(value: number): this {
    const start = this.#leave(8);
    this.#bytes.writeDoubleLE(value, start);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.uint32(value.length);
    const start = this.#leave(value.length);
    this.#bytes.set(value, start);
    return this;
  }

  string(value: string): this {
    const { length } = value;
    // A unit of a string becomes at most three bytes.
    this.#reserve((length < longString ? length * 3 : Buffer.byteLength(value)) + maxVarintBytes);
    const left = lengthOfVarint(length);
    const start = this.#leave(left);
    if (!(length < shortString && this.#writeAscii(value))) {
      this.#size = start + left;
      this.#size += this.#bytes.write(value, this.#size);
    }
    this.#setLength(start, left);
    return this;
  }

  /** Whether the string is all ASCII. Otherwise it has to be written again. */
  #writeAscii(value: string): boolean {
    const bytes = this.#bytes;
    let size = this.#size;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 127) return false;
      bytes[size] = code;
      size += 1;
    }
    this.#size = size;
    return true;
  }

  /** Writes the length of all that comes after the place which was left for it. */
  #setLength(start: number, left: number): void {
    const length = this.#size - start - left;
    const needed = lengthOfVarint(length);
    if (needed !== left) {
      this.#leave(needed - left);
      this.#bytes.copyWithin(start + needed, start + left, start + left + length);
    }
    putVarint(this.#bytes, start, length);
  }

  #varint(value: number): this {
    this.#reserve(maxVarintBytes);
    this.#size = putVarint(this.#bytes, this.#size, value);
    return this;
  }

  /** Leaves bytes to be written, and returns where. */
  #leave(bytes: number): number {
    this.#reserve(bytes);
    const start = this.#size;
    this.#size += bytes;
    return start;
  }

  #reserve(bytes: number): void {
    const needed = this.#size + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}

/** How many bytes a length takes. */
function lengthOfVarint(length: number): number {
  if (length < 2 ** 7) return 1;
  if (length < 2 ** 14) return 2;
  if (length < 2 ** 21) return 3;
  return length < 2 ** 28 ? 4 : 5;
}

/** Writes a number of up to 32 bits, and returns where it ends. */
function putVarint(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest > 127) {
    bytes[at] = (rest & 127) | 128;
    rest >>>= 7;
    at += 1;
  }
  bytes[at] = rest;
  return at + 1;
}

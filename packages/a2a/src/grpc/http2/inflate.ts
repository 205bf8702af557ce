import { promisify } from "node:util";
import { gunzip, inflate as inflateZlib } from "node:zlib";
import { status } from "@grpc/grpc-js";
import { StatusError } from "./status-error.js";

const inflaters = { gzip: promisify(gunzip), deflate: promisify(inflateZlib) };

/** The encodings of messages that are understood, as callers are told them. */
export const acceptedEncodings = "identity,deflate,gzip";

/** Decompresses a message. Rejects with a `StatusError` for one that is not compressed so, or that becomes too long. */
export async function inflate(
  message: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  if (encoding !== "gzip" && encoding !== "deflate") {
    const found = encoding === undefined ? "none" : JSON.stringify(encoding.slice(0, 64));
    const problem = `the encoding of compressed messages is ${found}; expected gzip or deflate`;
    throw new StatusError(status.UNIMPLEMENTED, problem);
  }
  try {
    return await inflaters[encoding](message, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLong =
      error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLong
      ? new StatusError(
          status.RESOURCE_EXHAUSTED,
          `the message has more than ${maxBytes} bytes when it is decompressed; send a shorter one`,
        )
      : new StatusError(status.INVALID_ARGUMENT, `the message is not valid ${encoding}`);
  }
}

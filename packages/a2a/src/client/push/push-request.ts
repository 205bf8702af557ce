import { A2AError } from "../../protocol/internal.js";

/**
 * A request to a webhook: the platform's `Request`, or the headers and the unparsed body, such as node's
 * headers and the bytes that `express.raw()` gives.
 */
export type PushRequest =
  | Request
  | {
      readonly headers: Headers | NodeHeaders;
      readonly body: Uint8Array | string;
    };

type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A header by its lower-case name. */
export function headerOf({ headers }: PushRequest, name: string): string | undefined {
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  const value = (headers as NodeHeaders)[name];
  return typeof value === "string" ? value : value?.join(", ");
}

/** The body's bytes. Throws `REQUEST_TOO_LARGE` beyond the limit. */
export async function bytesOf(
  request: PushRequest,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!("arrayBuffer" in request)) return checked(toBytes(request.body), maxBytes);
  const bytes = await bytesIn(request.body, maxBytes);
  if (bytes === undefined) throw tooLarge(maxBytes);
  return bytes;
}

/** The bytes of a request's or an answer's body; `undefined` if there are more than the limit. */
export async function bytesIn(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) break;
    size += next.value.byteLength;
    if (size > maxBytes) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

function toBytes(body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  // The signature covers the bytes of the body, which a parsed body has lost.
  throw new A2AError(
    "INVALID_REQUEST",
    "the body was parsed already; pass the bytes as they were received",
  );
}

function checked<T extends Uint8Array>(bytes: T, maxBytes: number): T {
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

function tooLarge(maxBytes: number): A2AError {
  return new A2AError("REQUEST_TOO_LARGE", `the body has more than ${maxBytes} bytes`);
}

import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

const emptyStatuses = [101, 204, 205, 304];

/**
 * An answer of `node:http` as a response of fetch, whose body the signal ends. What the client reads of it is there at once. Whatever else
 * somebody asks for is that of a true `Response`, which is made then: node loads all of its fetch with it.
 */
export function incomingResponse(
  incoming: IncomingMessage,
  url: string,
  signal: AbortSignal | undefined,
): Response {
  const { statusCode: status = 0, statusMessage: statusText = "" } = incoming;
  const headers = incomingHeaders(incoming.rawHeaders);
  const body = emptyStatuses.includes(status) ? null : bodyOf(incoming, signal);
  if (body === null) incoming.resume();
  const ok = status >= 200 && status < 300;
  const known = {
    status,
    statusText,
    ok,
    url,
    headers,
    body,
    type: "default" as const,
    redirected: false,
  };
  return backedBy<Response>(
    known,
    () => new Response(body, { status, statusText, headers: [...headers] }),
  );
}

/** Headers that are read from the lines of an answer. */
function incomingHeaders(raw: readonly string[]): Headers {
  const lines: [name: string, value: string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] ?? "", raw[at + 1] ?? ""]);
  const get = (name: string): string | null => {
    const values = lines.filter(([one]) => one.toLowerCase() === name.toLowerCase());
    return values.length === 0 ? null : values.map(([, value]) => value).join(", ");
  };
  const has = (name: string): boolean => get(name) !== null;
  return backedBy<Headers>({ get, has }, () => new Headers(lines));
}

function bodyOf(
  incoming: IncomingMessage,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const stop = (): void => void incoming.destroy(signal?.reason as Error);
  signal?.addEventListener("abort", stop, { once: true });
  incoming.once("close", () => signal?.removeEventListener("abort", stop));
  return Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** An object with the members that are known. The others are those of what `make` makes when the first of them is asked for. */
function backedBy<T extends object>(known: Partial<T> & object, make: () => T): T {
  let made: T | undefined;
  return new Proxy(known, {
    get(_, name) {
      // Promises ask whatever they are resolved with for `then`.
      if (name === "then" || Object.hasOwn(known, name)) return Reflect.get(known, name);
      const whole = (made ??= make());
      const value: unknown = Reflect.get(whole, name, whole);
      return typeof value === "function" ? (value.bind(whole) as unknown) : value;
    },
  }) as T;
}

import type { ServerResponse } from "node:http";
import type { HttpHeaders, HttpResponse, StreamedResponse } from "../http/internal.js";

/** Writes an answer to node's response. */
export async function sendResponse(
  outgoing: ServerResponse,
  response: HttpResponse,
  method: string,
): Promise<void> {
  if ("stream" in response) {
    await sendStream(outgoing, response);
    return;
  }
  const { status, headers, body } = response;
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  const hasLength = status !== 204 && status !== 304;
  outgoing.writeHead(status, hasLength ? listOf(headers, length) : headers);
  outgoing.end(method === "HEAD" || body === undefined ? undefined : body);
}

/** Headers as node takes them with the least work: one list of names and values. */
function listOf(headers: HttpHeaders, length: number): string[] {
  const list: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) list.push(name, value);
  }
  list.push("Content-Length", String(length));
  return list;
}

/**
 * Writes a stream at the speed of its reader: when the socket is full, nothing more is taken from the
 * stream until it drains. What comes within one turn of the event loop leaves in one piece.
 */
async function sendStream(
  outgoing: ServerResponse,
  { status, headers, stream, heartbeat }: StreamedResponse,
): Promise<void> {
  outgoing.writeHead(status, headers);
  let gathered = "";
  let isScheduled = false;
  const write = (): void => {
    isScheduled = false;
    if (gathered === "" || outgoing.destroyed || outgoing.writableEnded) return;
    outgoing.write(gathered);
    gathered = "";
  };
  // The headers go along with the first event, unless that is to be waited for.
  setImmediate(() => {
    if (gathered === "" && !outgoing.destroyed) outgoing.flushHeaders();
  });
  const beat = setInterval(() => {
    if (!outgoing.writableNeedDrain) outgoing.write(heartbeat.text);
  }, heartbeat.everyMs);
  try {
    for await (const text of stream) {
      if (outgoing.destroyed) break;
      gathered += text;
      beat.refresh();
      if (!isScheduled) {
        isScheduled = true;
        setImmediate(write);
      }
      if (gathered.length >= outgoing.writableHighWaterMark) write();
      if (outgoing.writableNeedDrain) await drained(outgoing);
    }
  } finally {
    clearInterval(beat);
    if (outgoing.destroyed || gathered === "") outgoing.end();
    else outgoing.end(gathered);
  }
}

/** Resolves when the socket takes more, or is gone. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
  });
}

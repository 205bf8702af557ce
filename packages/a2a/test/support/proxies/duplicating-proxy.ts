import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface DuplicatingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many streams were doubled. */
  readonly doubled: number;
}

/**
 * Opens a proxy that makes every request for a stream twice, and merges both answers event by event: what a
 * caller sees when a proxy duplicates its connection. The first answer ends after some bytes; the rest comes from
 * the second alone.
 */
export async function openDuplicatingProxy(
  target: string,
  { firstEndsAfter }: { readonly firstEndsAfter: number },
): Promise<DuplicatingProxy> {
  let doubled = 0;
  const server = createServer((incoming, outgoing) => {
    outgoing.on("error", () => undefined);
    const isStream = incoming.headers.accept?.includes("text/event-stream") === true;
    if (isStream) doubled += 1;
    void pass(target, incoming, { outgoing, isStream, firstEndsAfter });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get doubled() {
      return doubled;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Passage {
  readonly outgoing: ServerResponse;
  readonly isStream: boolean;
  readonly firstEndsAfter: number;
}

async function pass(
  target: string,
  incoming: IncomingMessage,
  { outgoing, isStream, firstEndsAfter }: Passage,
): Promise<void> {
  const body = await buffer(incoming);
  const ask = async (): Promise<IncomingMessage> => {
    const { method, headers, url = "/" } = incoming;
    const asked = request(new URL(url, target), { method, headers, agent: false });
    asked.end(body);
    outgoing.on("close", () => asked.destroy());
    asked.on("error", () => undefined);
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.on("error", () => undefined);
    return answer;
  };
  const first = await ask();
  const isEvents = first.headers["content-type"]?.startsWith("text/event-stream") === true;
  outgoing.writeHead(first.statusCode ?? 500, first.headers);
  if (!isStream || !isEvents) {
    first.pipe(outgoing);
    return;
  }
  const second = await ask();
  await Promise.all([
    passEvents(first, outgoing, firstEndsAfter),
    passEvents(second, outgoing, Number.POSITIVE_INFINITY),
  ]);
  outgoing.end();
}

/** Passes on whole events only, so that no event of one stream is split by the other. */
async function passEvents(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  maxBytes: number,
): Promise<void> {
  let pending = "";
  let passed = 0;
  answer.setEncoding("utf8");
  try {
    for await (const text of answer as AsyncIterable<string>) {
      pending += text;
      const end = pending.lastIndexOf("\n\n") + 2;
      if (end < 2) continue;
      outgoing.write(pending.slice(0, end));
      passed += end;
      pending = pending.slice(end);
      if (passed >= maxBytes) break;
    }
  } catch {
    // The caller or the server has closed the connection; what was passed on stands.
  }
}

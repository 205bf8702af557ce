import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { longerThanARun } from "./subject.js";
import type { OpenSubject } from "./subject.js";

interface Call {
  readonly id: string;
  readonly method: string;
  readonly params: {
    readonly message?: {
      readonly messageId: string;
      readonly parts: readonly { readonly text?: string }[];
    };
  };
}

/** A server that does the least that any server has to do, with nothing but `node:http` and JSON. */
export const open: OpenSubject = async ({ together = false }) => {
  const streams: ServerResponse[] = [];
  const answer = (response: ServerResponse, body: Buffer): void => {
    const call = JSON.parse(body.toString()) as Call;
    if (call.method === "SendMessage") reply(response, call);
    else streams.push(begin(response));
  };
  const server = createServer(together ? answeringTogether(answer) : answeringAlone(answer));
  server.listen(0, "127.0.0.1");
  server.keepAliveTimeout = longerThanARun;
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    calls: {
      /** Writes the same event to every stream. */
      emit: ({ event }: { event: string }) => {
        const bytes = Buffer.from(event);
        for (const stream of streams) stream.write(bytes);
      },
      waiting: () => streams.length,
      end: () => {
        for (const stream of streams) stream.end();
      },
    },
  };
};

type Answer = (response: ServerResponse, body: Buffer) => void;
type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function answeringAlone(answer: Answer): Listener {
  return (request, response) => readBody(request, (body) => answer(response, body));
}

/** Answers what has come in one turn of the event loop when the turn ends. */
function answeringTogether(answer: Answer): Listener {
  let waiting: (() => void)[] = [];
  return (request, response) =>
    readBody(request, (body) => {
      if (waiting.length === 0) {
        setImmediate(() => {
          const all = waiting;
          waiting = [];
          for (const one of all) one();
        });
      }
      waiting.push(() => answer(response, body));
    });
}

function readBody(request: IncomingMessage, then: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (data: Buffer) => chunks.push(data));
  request.on("end", () => then(Buffer.concat(chunks)));
}

function reply(response: ServerResponse, { id, params }: Call): void {
  const { messageId = "", parts = [] } = params.message ?? {};
  const message = {
    messageId,
    role: "ROLE_AGENT",
    parts: [{ text: parts[0]?.text }],
    contextId: messageId,
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id, result: { message } });
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}

function begin(response: ServerResponse): ServerResponse {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.write(": \n\n");
  return response;
}

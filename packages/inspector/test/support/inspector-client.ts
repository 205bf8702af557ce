import { createInspector } from "@parley/inspector";
import type { Inspector, InspectorOptions, OpenInspector } from "@parley/inspector";
import type { CallEvent, Connection, FeedItem } from "@parley/inspector/contract";

/** A page of an inspector, as a test plays it. */
export interface TestPage extends AsyncDisposable {
  readonly inspector: OpenInspector;
  readonly token: string;
  /** The origin of the inspector. */
  readonly origin: string;
  /** Asks for a route below `api/`, as the page does; resolves to the JSON of the answer. */
  ask<T>(route: string, body?: unknown): Promise<T>;
  /** The same, with the whole answer. */
  request(route: string, init?: RequestInit): Promise<Response>;
  connect(url: string, more?: object): Promise<Connection>;
  /** Streams a message, and resolves to what has come. */
  stream(
    connection: string,
    text: string,
    onEvent?: (event: CallEvent) => void,
  ): Promise<CallEvent[]>;
  /** Everything on the feed so far. */
  feed(): readonly FeedItem[];
}

/** Opens an inspector and lets a test in. */
export async function openTestPage(options: InspectorOptions = {}): Promise<TestPage> {
  const inspector = await createInspector({ port: 0, ...options }).open();
  return letIn(inspector);
}

/** An inspector for `serve`, and, once the server answers, the same opened. */
export function besideServer(options: InspectorOptions = {}): {
  readonly inspector: Inspector;
  opened(): OpenInspector;
} {
  const created = createInspector({ port: 0, ...options });
  let opened: OpenInspector | undefined;
  return {
    inspector: {
      ...created,
      async open(server) {
        return (opened = await created.open(server));
      },
    },
    opened() {
      if (opened === undefined) throw new Error("the server is not open yet");
      return opened;
    },
  };
}

/** Lets a test into an inspector that is open. */
export async function letIn(inspector: OpenInspector): Promise<TestPage> {
  const origin = new URL(inspector.url).origin;
  const code = new URL(inspector.newLink()).hash.replace("#code=", "");
  const json = { "Content-Type": "application/json", Origin: origin };
  const session = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ code }),
  });
  const { token } = (await session.json()) as { token: string };
  const request = (route: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${origin}/api/${route}`, {
      ...init,
      headers: { ...json, Authorization: `Bearer ${token}`, ...(init.headers as object) },
    });
  const ask = async <T>(route: string, body?: unknown): Promise<T> => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await request(route, init);
    const answer = (await response.json()) as T;
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const items: FeedItem[] = [];
  const leave = new AbortController();
  const following = (async () => {
    const response = await request("events", { signal: leave.signal });
    for await (const item of readEvents<FeedItem>(response)) items.push(item);
  })().catch(() => undefined);
  return {
    inspector,
    token,
    origin,
    ask,
    request,
    connect: (url, more = {}) => ask<Connection>("connections", { url, ...more }),
    async stream(connection, text, onEvent = () => undefined) {
      const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
      const body = JSON.stringify({ operation: "sendStreamingMessage", request: { message } });
      const response = await request(`connections/${connection}/call`, { method: "POST", body });
      const events: CallEvent[] = [];
      for await (const event of readEvents<CallEvent>(response)) {
        events.push(event);
        onEvent(event);
      }
      return events;
    },
    feed: () => items,
    async [Symbol.asyncDispose]() {
      leave.abort();
      await following;
      await inspector.close();
    },
  };
}

/** The data of an event stream, as JSON. */
async function* readEvents<T>(response: Response): AsyncGenerator<T, void, void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined) yield JSON.parse(data) as T;
    }
  }
}

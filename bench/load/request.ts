/** Where a request has the id of its message. Each message that is sent has one of its own. */
const placeholder = "00000000-0000-4000-8000-000000000000";

/** Builds an HTTP/1.1 request, whose connection stays open by default. */
function encodeRequest(body: object): string {
  const json = JSON.stringify(body);
  const lines = [
    "POST / HTTP/1.1",
    "Host: 127.0.0.1",
    "A2A-Version: 1.0",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(json)}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${json}`;
}

export function rpc(method: string, params: object): string {
  const id = "8f14e45f-ceea-467f-9b3e-1d5f0c7a2b11";
  return encodeRequest({ jsonrpc: "2.0", id, method, params });
}

/** A request that sends some words, with as much around them as clients send. */
export function sending(
  text: string,
  { method = "SendMessage", ...params }: { method?: string; configuration?: object } = {},
): string {
  const message = {
    messageId: placeholder,
    role: "ROLE_USER",
    parts: [{ text }, { data: { travellers: 2, budget: 4200, currency: "CHF" } }],
    metadata: { locale: "en-CH" },
  };
  return rpc(method, { message, ...params });
}

/** A request as bytes, in which every copy sent has another message id. */
export class Letter {
  readonly #bytes: Buffer;
  readonly #at: number;
  static #sent = 0;

  constructor(request: string) {
    this.#bytes = Buffer.from(request);
    this.#at = this.#bytes.indexOf(placeholder);
  }

  /** Returns the bytes of the next copy, which are overwritten by those of the one after it. */
  next(): Buffer {
    if (this.#at < 0) return this.#bytes;
    Letter.#sent += 1;
    let rest = Letter.#sent;
    for (let place = this.#at + placeholder.length - 1; rest > 0; place -= 1) {
      this.#bytes[place] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    return this.#bytes;
  }
}

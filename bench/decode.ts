/**
 * Measures turning the bytes of a request into a checked request of the model: parsing, envelope, detection of the
 * dialect, validation or conversion. The reference is `JSON.parse` of the same bytes.
 */
import type { RequestOf } from "@parley/a2a";
import { codecs, Cursor, detectJsonRpc, parseJson, parseJsonRpcRequest } from "@parley/a2a/wire";
import { compare } from "./compare.js";
import type { Contest } from "./compare.js";

const text =
  "Plan a week in Tokyo in May: flights from Zurich, a quiet hotel, and one good concert.";
const data = { travellers: 2, budget: 4200, currency: "CHF" };
const ids = {
  messageId: "3c59dc04-8e88-4f6a-9b3f-7d1c2e5a9b00",
  contextId: "c295ea44-7543-4f78-b524-7a38915ad6e4",
};
const metadata = { locale: "en-CH" };
const acceptedOutputModes = ["text/plain", "application/json"];

const contests: readonly Contest[] = [
  contest({
    name: "decode a 1.0 SendMessage",
    bar: 1.5,
    version: "1.0",
    method: "SendMessage",
    params: {
      message: { ...ids, role: "ROLE_USER", parts: [{ text }, { data }], metadata },
      configuration: { acceptedOutputModes, historyLength: 10 },
    },
  }),
  contest({
    name: "decode a 0.3 message/send",
    bar: 2.5,
    version: undefined,
    method: "message/send",
    params: {
      message: {
        kind: "message",
        ...ids,
        role: "user",
        parts: [
          { kind: "text", text },
          { kind: "data", data },
        ],
        metadata,
      },
      configuration: { acceptedOutputModes, historyLength: 10, blocking: true },
    },
  }),
];

export function benchDecode(): boolean {
  return compare(contests);
}

function contest(send: {
  readonly name: string;
  readonly bar: number;
  readonly version: string | undefined;
  readonly method: string;
  readonly params: object;
}): Contest {
  const { name, bar, version, method, params } = send;
  const id = "8f14e45f-ceea-467f-9b3e-1d5f0c7a2b11";
  const bytes = new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  const decoder = new TextDecoder();
  return {
    name: `${name} of ${bytes.length} bytes`,
    bar,
    reference: () => JSON.parse(decoder.decode(bytes)) as unknown,
    candidate: () => decode(bytes, version),
  };
}

function decode(bytes: Uint8Array, version: string | undefined): RequestOf<"sendMessage"> {
  const request = parseJsonRpcRequest(parseJson(bytes));
  const { method, params } = request;
  const detected = detectJsonRpc({ method, params, version });
  if ("error" in detected) throw detected.error;
  return codecs[detected.dialect].decodeRequest.sendMessage(params, new Cursor());
}

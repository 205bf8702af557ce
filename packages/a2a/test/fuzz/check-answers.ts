import type { HttpAnswer } from "./http-answer.js";
import { demand } from "./misbehaviour.js";
import { count } from "./tally.js";
import { secretText } from "./server-process.js";

type Json = Readonly<Record<string, unknown>>;

/** Statuses that say that the server is at fault. */
const faults = [500, 501, 502, 505];

/** What holds for every answer: it is no fault of the server's, and shows nothing of its insides or of another's. */
export function checkAnswer({ status, body }: HttpAnswer): void {
  const text = String(body);
  demand(!faults.includes(status), () => `answered ${status}: ${text.slice(0, 500)}`);
  checkClean(text);
}

export function checkClean(text: string): void {
  const found = /node_modules|^\s+at .*:\d|\.[jt]s:\d+|(?:Type|Syntax|Range)Error/m.exec(text);
  demand(found === null, () => `shows its insides: ${text.slice(0, 500)}`);
  demand(!text.includes(secretText), () => "shows what belongs to another caller");
}

/** Checks the answer to a JSON-RPC request, which may be a stream. */
export function checkJsonRpc(answer: HttpAnswer, sent: string, version: string | undefined): void {
  checkAnswer(answer);
  const { id = null, method } = envelopeOf(sent);
  // Whoever uses a method of 1.0 reads its errors, whatever the header says. Methods of extensions are of no version.
  const usesCurrent = typeof method === "string" && /^[A-Z]/.test(method) && method !== "Quote";
  const spoken = usesCurrent && version !== undefined ? "1.0" : version;
  const versions = { spoken, named: version };
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) {
    for (const data of readEvents(answer)) checkEnvelope(data, id, versions);
    return;
  }
  demand(type.startsWith("application/json"), () => `answered ${answer.status} as ${type}`);
  checkEnvelope(parse(answer.body), id, versions);
}

/** The version whose method the request uses, and the one that its header names. */
interface Versions {
  readonly spoken: string | undefined;
  readonly named: string | undefined;
}

function checkEnvelope(answer: Json, id: unknown, { spoken, named }: Versions): void {
  const shown = () => JSON.stringify(answer).slice(0, 500);
  const { error } = answer;
  demand(answer["jsonrpc"] === "2.0", () => `no JSON-RPC: ${shown()}`);
  demand(
    "result" in answer !== "error" in answer,
    () => `neither a result nor an error: ${shown()}`,
  );
  const isRefused = error !== undefined && answer["id"] === null;
  demand(isRefused || answer["id"] === id, () => `another id than ${String(id)}: ${shown()}`);
  count(error === undefined ? "JSON-RPC result" : `JSON-RPC ${String((error as Json)["code"])}`);
  if (error === undefined) return;
  const { code, message, data } = error as Json;
  demand(Number.isInteger(code) && typeof message === "string", () => `not an error: ${shown()}`);
  demand(code !== -32603, () => `an internal error: ${shown()}`);
  // Whoever names 0.3 gets the form of 0.3 until the method is read, and then that of 1.0.
  if (spoken === undefined || spoken === "0.3" || data === undefined) return;
  const form = Array.isArray(data) ? "1.0" : "before";
  const formOf = (version: string | undefined): string => (version === "1.0" ? "1.0" : "before");
  // A request may be refused before its method is read: it is no JSON, no request of JSON-RPC, too large, or made by a page
  // of another origin (-32000).
  const isEarly = isRefused || [-32700, -32600, -32000].includes(Number(code));
  const isOfHeader = isEarly && form === formOf(named);
  demand(
    isOfHeader || form === formOf(spoken),
    () => `an error in another version than ${spoken}: ${shown()}`,
  );
}

/** What was sent, as far as it can be read. */
function envelopeOf(sent: string): Json {
  try {
    const value: unknown = JSON.parse(sent);
    return typeof value === "object" && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** Checks the answer to a request over HTTP and JSON. */
export function checkRest(answer: HttpAnswer): void {
  checkAnswer(answer);
  const { status, body, headers } = answer;
  count(`HTTP ${status}`);
  const type = headers.get("content-type") ?? "";
  if (status === 204 || status === 304 || body.length === 0) return;
  if (type.startsWith("text/event-stream")) return void readEvents(answer);
  if (!/^application\/(?:a2a\+|problem\+)?json/.test(type)) {
    demand(/^text\/(?:plain|html)/.test(type), () => `answered ${status} as ${type}`);
    return;
  }
  const json = parse(body);
  if (status < 400) return;
  const error = (json["error"] ?? json) as Json;
  const isError = typeof error["message"] === "string" && Number.isInteger(error["code"]);
  demand(isError, () => `not an error: ${String(body).slice(0, 500)}`);
}

/** What complete events of a stream say. */
function readEvents({ body, isWhole }: HttpAnswer): readonly Json[] {
  const frames = String(body).split("\n\n");
  // The last one may be cut off.
  const last = frames.pop() ?? "";
  demand(!isWhole || last.trim() === "", () => `a stream ends with ${JSON.stringify(last)}`);
  return frames.flatMap((frame) => {
    const data: string[] = [];
    for (const line of frame.split("\n")) {
      const [, field, value = ""] = /^(data|id|event|retry)?: ?(.*)$/s.exec(line) ?? [];
      const isComment = line.startsWith(":");
      demand(field !== undefined || isComment || line === "", () => `not an event: ${line}`);
      if (field === "data") data.push(value);
    }
    return data.length === 0 ? [] : [parse(Buffer.from(data.join("\n")))];
  });
}

function parse(body: Buffer): Json {
  let value: unknown;
  try {
    value = JSON.parse(String(body));
  } catch {
    demand(false, () => `not JSON: ${JSON.stringify(String(body).slice(0, 500))}`);
  }
  demand(typeof value === "object" && value !== null, () => `not an object: ${String(body)}`);
  return value as Json;
}

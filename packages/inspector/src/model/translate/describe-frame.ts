import type { Frame } from "../../contract/index.js";

/** What a frame is, in a word, and what it says. */
export interface FrameWords {
  readonly what: string;
  readonly detail: string;
}

const kinds: Readonly<Record<string, string>> = {
  "status-update": "statusUpdate",
  "artifact-update": "artifactUpdate",
};

const longest = 160;

/** Describes a frame of any dialect, without a codec: lists of frames are long. */
export function describeFrame(frame: Frame): FrameWords {
  if (frame.kind === "comment") return { what: "heartbeat", detail: "" };
  const body = parse(frame.data);
  if (body === undefined) return { what: frame.event ?? "event", detail: cut(frame.data) };
  if (isObject(body["error"])) {
    return { what: "error", detail: cut(wordOf(body["error"]["message"])) };
  }
  const result = isObject(body["result"]) ? body["result"] : body;
  const wrapper = ["task", "message", "statusUpdate", "artifactUpdate", "msg"].find((key) =>
    isObject(result[key]),
  );
  const event = wrapper === undefined ? result : (result[wrapper] as Record<string, unknown>);
  const what = wrapper ?? kinds[wordOf(result["kind"])] ?? guess(result);
  return { what, detail: cut(saying(event)) };
}

function guess(result: Record<string, unknown>): string {
  if (typeof result["kind"] === "string") return result["kind"];
  if ("artifact" in result) return "artifactUpdate";
  if ("status" in result) return "statusUpdate";
  return "event";
}

function saying(event: Record<string, unknown>): string {
  const { artifact, status, parts } = event;
  if (isObject(artifact)) return quote(textOf(artifact["parts"]));
  if (isObject(status)) {
    const state = wordOf(status["state"])
      .replace("TASK_STATE_", "")
      .toLowerCase()
      .replaceAll("_", "-");
    const { message } = status;
    const text = isObject(message) ? textOf(message["parts"] ?? message["content"]) : "";
    return text === "" ? state : `${state} ${quote(text)}`;
  }
  return quote(textOf(parts ?? event["content"]));
}

function textOf(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  return parts
    .map((part: unknown) =>
      isObject(part) && typeof part["text"] === "string" ? part["text"] : "",
    )
    .join("");
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function quote(text: string): string {
  return text === "" ? "" : `“${text}”`;
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

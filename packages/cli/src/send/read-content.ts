import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { text as readAll } from "node:stream/consumers";
import type { JsonObject, JsonValue, Part } from "@parley/a2a";
import type { GivenOption } from "../options/read-options.js";
import { UsageError } from "../usage-error.js";
import { mediaTypeOf } from "./media-types.js";

/** The parts of a message: the text first, then what the options name, in their order. */
export async function readContent(
  text: string | undefined,
  given: readonly GivenOption[],
  hint: string,
): Promise<readonly Part[]> {
  const parts: Part[] = text === undefined ? [] : [{ text }];
  let isTyped = false;
  for (const { name, value = "" } of given) {
    if (name === "media-type") {
      const last = parts.pop();
      if (last === undefined || isTyped) {
        const message =
          "--media-type says what the part before it is; put it after --text, --file or --data";
        throw new UsageError(message, { hint });
      }
      parts.push({ ...last, mediaType: value });
      isTyped = true;
      continue;
    }
    const part = await readPart(name, value, hint);
    if (part === undefined) continue;
    parts.push(part);
    isTyped = false;
  }
  if (parts.length > 0) return parts;
  throw new UsageError("there is nothing to send; give a text, --file or --data", { hint });
}

async function readPart(name: string, value: string, hint: string): Promise<Part | undefined> {
  if (name === "text") return { text: value };
  if (name === "data") return { data: await readData(value, hint) };
  if (name !== "file") return undefined;
  if (/^https?:\/\//i.test(value)) {
    const filename = basename(new URL(value).pathname);
    return { url: value, mediaType: mediaTypeOf(filename), ...(filename !== "" && { filename }) };
  }
  const bytes = await readFile(value).catch((cause: unknown) => {
    throw new UsageError(`--file: cannot read ${value} (${reasonOf(cause)})`, { hint, cause });
  });
  return {
    raw: bytes.toString("base64"),
    mediaType: mediaTypeOf(value),
    filename: basename(value),
  };
}

async function readData(path: string, hint: string): Promise<JsonValue> {
  const from = path === "-" ? "standard input" : path;
  const text = await (path === "-" ? readAll(process.stdin) : readFile(path, "utf8")).catch(
    (cause: unknown) => {
      throw new UsageError(`--data: cannot read ${from} (${reasonOf(cause)})`, { hint, cause });
    },
  );
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new UsageError(`--data: ${from} holds no JSON (${reasonOf(cause)})`, { hint, cause });
  }
}

/** The object of `--metadata`. */
export function parseMetadata(text: string | undefined, hint: string): JsonObject | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new UsageError(`--metadata must be a JSON object such as {"key":"value"}, not ${text}`, {
    hint,
  });
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(", ")[0] ?? message;
}

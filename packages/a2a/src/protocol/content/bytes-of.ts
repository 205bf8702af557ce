import { A2AError } from "../a2a-error.js";
import { parseUrl } from "../parse/parse-url.js";
import type { Part } from "../part.js";

/**
 * The bytes of a received file: of a `raw` part, or of a link that carries its content (`data:`). Fetches
 * nothing, so it throws `INVALID_PARAMS` for any other link; also for a part without a file, for content that
 * cannot be decoded, and for a file of more than `maxBytes`.
 *
 * @example
 * for (const part of artifact.parts) if (part.raw !== undefined) save(part.filename, bytesOf(part));
 */
export function bytesOf(
  part: Part,
  { maxBytes = Infinity }: { readonly maxBytes?: number } = {},
): Uint8Array<ArrayBuffer> {
  const { text, isBase64 } = contentOf(part);
  // Four characters of base64 are three bytes, without up to two characters of padding.
  if (isBase64 && (text.length * 3) / 4 - 2 > maxBytes) throw tooLarge(maxBytes);
  const binary = isBase64 ? decodeBase64(text) : text;
  if (binary.length > maxBytes) throw tooLarge(maxBytes);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** The content of a part: base64, or a text with a character for each byte. */
interface Content {
  readonly text: string;
  readonly isBase64: boolean;
}

function contentOf(part: Part): Content {
  if (part.raw !== undefined) return { text: part.raw, isBase64: true };
  if (part.url !== undefined) return contentOfLink(part.url);
  const found = part.text === undefined ? "data" : "text";
  throw refuse(`expected a part with a file (raw or url), got one with ${found}`);
}

function contentOfLink(link: string): Content {
  const { protocol, pathname, search } = parseUrl(link) ?? {};
  if (protocol !== "data:") {
    const shown = JSON.stringify(link.slice(0, maxShown));
    throw refuse(`the part has a link in place of a file: fetch ${shown} to get its bytes`);
  }
  const [, head = "", body = ""] = /^([^,]*),(.*)$/s.exec(`${pathname}${search}`) ?? [];
  const text = body.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return { text, isBase64: /; *base64$/i.test(head) };
}

const maxShown = 200;

function decodeBase64(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch (cause) {
    throw refuse("expected the file as base64, got something else", cause);
  }
}

function tooLarge(maxBytes: number): A2AError {
  return refuse(`the file has more than ${maxBytes} bytes; raise maxBytes to read it`);
}

function refuse(message: string, cause?: unknown): A2AError {
  return new A2AError("INVALID_PARAMS", message, { cause });
}

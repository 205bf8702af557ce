import type { TextSink } from "../command.js";

/** A document as JSON. It escapes the control characters that JSON itself lets pass, which a terminal would obey. */
function jsonText(document: unknown, indent?: number): string {
  return JSON.stringify(document, null, indent).replaceAll(
    /[\u007F-\u009F]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Writes the one document of an output. */
export function writeDocument(sink: TextSink, document: unknown): void {
  sink.write(`${jsonText(document, 2)}\n`);
}

/** Writes an object of a stream: JSON on one line. */
export function writeJsonLine(sink: TextSink, document: unknown): void {
  sink.write(`${jsonText(document)}\n`);
}

import type { TextSink } from "../command.js";

/** Writes the one document of an output. */
export function writeDocument(sink: TextSink, document: unknown): void {
  sink.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** Writes an object of a stream: JSON on one line. */
export function writeJsonLine(sink: TextSink, document: unknown): void {
  sink.write(`${JSON.stringify(document)}\n`);
}

import { A2AError } from "../protocol/internal.js";
import { describe } from "../protocol/parse/internal.js";

const maxShown = 200;

/** The error for a reference that leads to no agent. */
export function refuseReference(found: unknown): A2AError {
  const shown =
    typeof found === "string" ? JSON.stringify(found.slice(0, maxShown)) : describe(found);
  return refuse(`connect() takes an HTTP URL, a host or an agent card, but got ${shown}`);
}

/** The error for what cannot be the content of a message. */
export function refuseContent(found: unknown): A2AError {
  const shown = ArrayBuffer.isView(found) ? "bytes: give { bytes, mediaType }" : describe(found);
  return refuse(`a message takes text, parts, files or a list of these, but got ${shown}`);
}

function refuse(message: string): A2AError {
  return new A2AError("INVALID_PARAMS", message);
}

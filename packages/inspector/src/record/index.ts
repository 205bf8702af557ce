/** What is recorded of a call, and what is kept out of it. Shared with the command line. */

export { createRedactor, secretPlacesOf } from "./redact.js";
export type { Redactor, SecretPlaces } from "./redact.js";
export { FrameReader } from "./read-frames.js";
export type { SseFrame } from "./read-frames.js";

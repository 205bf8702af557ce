import type { Codec } from "./codec.js";
import type { Dialect } from "./dialect.js";
import { codec as oldest } from "./v0.1/codec.js";
import { errorCodec as oldestErrors } from "./v0.1/error.js";
import { codec as proto } from "./v0.3-proto/codec.js";
import { createCodec } from "./v0.3/codec.js";
import { codec as current } from "./v1.0/codec.js";

/** The codec of every dialect. */
export const codecs: Readonly<Record<Dialect, Codec>> = {
  "0.1": oldest,
  // Its errors have to be right for readers of 0.1, whose numbers end earlier.
  "0.1+0.3": { ...createCodec("0.1+0.3"), ...oldestErrors },
  "0.3": createCodec("0.3"),
  "0.3+type": createCodec("0.3+type"),
  "0.3-schema": createCodec("0.3-schema"),
  "0.3-proto": proto,
  "1.0": current,
};

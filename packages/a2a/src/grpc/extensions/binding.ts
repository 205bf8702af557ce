import { codecs } from "../../wire/internal.js";
import type { GrpcVersion } from "../../wire/internal.js";
import type { Binding } from "../binding.js";
import { service } from "../gen/parley-a2a-v1.js";

const common: Pick<Binding, "service" | "operations" | "readRequest" | "writeRequest"> = {
  service,
  operations: { CallMethod: "callMethod" },
  readRequest: (_, message) => message,
  writeRequest: (_, request) => request,
};

/**
 * The methods that extensions define. They are of no version, and have one service for all of them; the version that a
 * call names decides how extensions are named and errors are told.
 */
export const extensionBindings: Readonly<Record<GrpcVersion, Binding>> = {
  "0.3": { ...common, version: "0.3", codec: codecs["0.3-proto"] },
  "1.0": { ...common, version: "1.0", codec: codecs["1.0"] },
};

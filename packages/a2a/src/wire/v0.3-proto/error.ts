/** The REST errors of 0.3 are the same in both of its body forms. */
export { errorCodec } from "../v0.3/error.js";

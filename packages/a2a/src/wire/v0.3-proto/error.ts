export { plainErrorCodec as errorCodec } from "../errors/plain-error-codec.js";

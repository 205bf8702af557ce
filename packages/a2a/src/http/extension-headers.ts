import type { CallContext } from "../protocol/internal.js";
import { extensionHeader, formatExtensions } from "../wire/internal.js";
import type { HttpHeaders } from "./http-message.js";

/** Tells the caller which of the requested extensions are active. */
export function extensionHeaders({ version, extensions = [] }: CallContext): HttpHeaders {
  if (extensions.length === 0) return {};
  return { [extensionHeader(version)]: formatExtensions(extensions) };
}

/** The headers themselves where no extension is active: what is prepared for shared headers stays valid. */
export function addExtensionHeaders(headers: HttpHeaders, call: CallContext): HttpHeaders {
  return call.extensions?.length ? { ...headers, ...extensionHeaders(call) } : headers;
}

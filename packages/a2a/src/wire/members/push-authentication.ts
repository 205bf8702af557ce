import type { AuthenticationInfo } from "../../protocol/internal.js";
import { array, implicit, object, shortString, text } from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";

const authenticationMembers = object<{
  scheme?: string;
  schemes?: readonly string[];
  credentials?: string;
}>({
  scheme: implicit(shortString),
  schemes: implicit(array(text)),
  credentials: implicit(shortString),
});

/**
 * Decodes how to authenticate to a push receiver. 1.0 names one scheme; earlier versions list several,
 * of which the first is used and the list kept. A list beside a single scheme is ignored.
 */
export function decodePushAuthentication(value: unknown, cursor: Cursor): AuthenticationInfo {
  const { scheme, schemes = [], credentials } = authenticationMembers(value, cursor);
  return {
    scheme: scheme ?? schemes[0] ?? cursor.fail("this member is required", "scheme"),
    ...(credentials !== undefined && { credentials }),
    ...(scheme === undefined && schemes.length > 1 && { schemes }),
  };
}

/** Encodes the form of versions before 1.0: a list of schemes. */
export function encodePushAuthentication(info: AuthenticationInfo): {
  readonly schemes: readonly string[];
  readonly credentials?: string;
} {
  const { scheme, schemes = [scheme], credentials } = info;
  return { schemes, ...(credentials !== undefined && { credentials }) };
}

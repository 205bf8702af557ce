import type { AuthenticationInfo } from "../../protocol/internal.js";
import { array, implicit, object, shortString, text } from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";

/** How to authenticate to a push receiver, as requests have it: with one scheme or with a list. */
interface Listed {
  readonly scheme?: string;
  readonly schemes?: readonly string[];
  readonly credentials?: string;
}

const listed = object<Listed>({
  scheme: implicit(shortString),
  schemes: implicit(array(text)),
  credentials: implicit(shortString),
});

/** Decodes the authentication of 1.0, which names one scheme. Some callers write a list here, too. */
export function decodePushAuthentication(value: unknown, cursor: Cursor): AuthenticationInfo {
  return (
    authenticationOf(listed(value, cursor)) ?? cursor.fail("this member is required", "scheme")
  );
}

/** Decodes the list of earlier versions. It may be empty, unless there are credentials to go with a scheme. */
export const decodeListedAuthentication: Parser<Listed> = (value, cursor) => {
  const found = listed(value, cursor);
  if (found.credentials !== undefined && authenticationOf(found) === undefined) {
    cursor.fail("expected the scheme of the credentials, got none", "schemes");
  }
  return found;
};

/** The first scheme is used, and a longer list is kept. A list beside a single scheme is ignored. */
export function authenticationOf({
  scheme,
  schemes = [],
  credentials,
}: Listed): AuthenticationInfo | undefined {
  const used = scheme ?? schemes[0];
  if (used === undefined) return undefined;
  return {
    scheme: used,
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

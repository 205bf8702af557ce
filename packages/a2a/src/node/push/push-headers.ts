import { validateHeaderName, validateHeaderValue } from "node:http";
import { A2AError } from "../../protocol/internal.js";
import type { TaskPushNotificationConfig } from "../../protocol/internal.js";

export type PushHeaders = Readonly<Record<string, string>>;

/** Headers of the connection or of the body, which no configuration may set. */
const ownHeaders =
  /^(?:host|content-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|a2a-version|x-a2a-notification-.*)$/i;

/**
 * The headers that a configuration asks for: its own, its credentials and its token. A bearer scheme without
 * credentials asks for a token of the sender, `bearer`.
 */
export function configuredHeaders(
  { headers = {}, authentication, token }: TaskPushNotificationConfig,
  bearer?: string,
): PushHeaders {
  const own = Object.entries(headers).filter(([name]) => !ownHeaders.test(name));
  const { scheme = "", credentials = /^bearer$/i.test(scheme) ? bearer : undefined } =
    authentication ?? {};
  const extra =
    credentials === undefined ? own : own.filter(([name]) => !/^authorization$/i.test(name));
  return {
    ...Object.fromEntries(extra),
    ...(credentials !== undefined && { Authorization: `${scheme} ${credentials}` }),
    ...(token !== undefined && { "X-A2A-Notification-Token": token }),
  };
}

/** Throws `INVALID_PARAMS` for a name or a value that cannot be a header, or would be two. */
export function checkHeaders(config: TaskPushNotificationConfig): void {
  const { headers = {}, authentication, token } = config;
  const { scheme, credentials } = authentication ?? {};
  if (scheme !== undefined) checkName("authentication.scheme", scheme);
  checkValue("authentication.credentials", credentials);
  checkValue("token", token);
  for (const [name, value] of Object.entries(headers)) {
    checkName("headers", name);
    checkValue(`headers.${name}`, value);
  }
}

function checkName(field: string, name: string): void {
  try {
    validateHeaderName(name);
  } catch {
    throw invalid(field, "expected letters, digits and hyphens");
  }
}

function checkValue(field: string, value: string | undefined): void {
  if (value === undefined) return;
  try {
    validateHeaderValue("value", value);
  } catch {
    throw invalid(field, "has characters that no header can carry");
  }
}

export function invalid(field: string, description: string): A2AError {
  return new A2AError("INVALID_PARAMS", `${field}: ${description}`, {
    details: { fieldViolations: [{ field, description }] },
  });
}

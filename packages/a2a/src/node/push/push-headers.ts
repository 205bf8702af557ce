import { validateHeaderName, validateHeaderValue } from "node:http";
import { A2AError } from "../../protocol/internal.js";
import type { TaskPushNotificationConfig } from "../../protocol/internal.js";

export type PushHeaders = Readonly<Record<string, string>>;

/** Headers that belong to the connection or to the body, so that no configuration may set them. */
const ownHeaders =
  /^(?:host|content-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|a2a-version|x-a2a-notification-.*)$/i;

/**
 * What a configuration asks to be sent along: its headers, its credentials, its token. A scheme without
 * credentials asks for the sender's own, which is `bearer` where the scheme takes one.
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

/** Refuses with `INVALID_PARAMS` what cannot be a header, or is two. */
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

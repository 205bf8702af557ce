import * as oauth from "oauth4webapi";
import { A2AError } from "../../protocol/internal.js";
import type { TokenSource } from "../credentials/secret.js";
import { delay } from "../../async/internal.js";
import { checkEndpoint, requestOptions } from "./endpoint.js";
import type { OAuthOptions } from "./oauth-options.js";
import { createTokenSource } from "./token-source.js";

/** What a user needs to sign in on another device. */
export interface DeviceCodePrompt {
  readonly userCode: string;
  readonly verificationUri: string;
  /** The same with the code in it, for links and QR codes. */
  readonly verificationUriComplete?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export type DeviceCodeOptions = OAuthOptions & {
  /** Shows the user where to go and what to type there. */
  readonly onCode: (prompt: DeviceCodePrompt) => void | Promise<void>;
};

const defaultIntervalSeconds = 5;

/** The interval grows by this when the server asks to slow down or is unavailable. */
const slowDownMs = 5000;

/**
 * Signs in a user whose browser is on another device (RFC 8628): shows a code and waits until the user has
 * entered it.
 *
 * @example
 * deviceCode({ clientId: "terminal", onCode: ({ userCode, verificationUri }) =>
 *   console.log(`Enter ${userCode} at ${verificationUri}`) });
 */
export function deviceCode(options: DeviceCodeOptions): TokenSource {
  const { onCode } = options;
  return createTokenSource(options, {
    name: "deviceCode",
    isSilent: false,
    async run(context) {
      const { server, client, authentication, parameters, clock, signal } = context;
      checkEndpoint(server.device_authorization_endpoint, "device authorization endpoint");
      const how = requestOptions(context.fetch, signal);
      const device = await oauth.processDeviceAuthorizationResponse(
        server,
        client,
        await oauth.deviceAuthorizationRequest(server, client, authentication, parameters, how),
      );
      const { device_code: code, verification_uri_complete: complete } = device;
      const expiresAt = clock.now() + device.expires_in * 1000;
      await onCode({
        userCode: device.user_code,
        verificationUri: checkEndpoint(device.verification_uri, "verification URI"),
        ...(complete !== undefined && {
          verificationUriComplete: checkEndpoint(complete, "verification URI"),
        }),
        expiresAt,
      });
      let intervalMs = (device.interval ?? defaultIntervalSeconds) * 1000;
      while (clock.now() + intervalMs < expiresAt) {
        await delay(clock, intervalMs, signal);
        try {
          const answer = await oauth.deviceCodeGrantRequest(
            server,
            client,
            authentication,
            code,
            how,
          );
          const readable = await context.readable(answer);
          return await oauth.processDeviceCodeResponse(server, client, readable);
        } catch (error) {
          if (isSlow(error)) intervalMs += slowDownMs;
          else if (!isPending(error)) throw error;
        }
      }
      const message = `the code ${device.user_code} expired before anybody entered it; sign in again`;
      throw new A2AError("UNAUTHENTICATED", message);
    },
  });
}

function isPending(error: unknown): boolean {
  return error instanceof oauth.ResponseBodyError && error.error === "authorization_pending";
}

function isSlow(error: unknown): boolean {
  if (A2AError.is(error)) return error.code === "UNAVAILABLE";
  return error instanceof oauth.ResponseBodyError && error.error === "slow_down";
}

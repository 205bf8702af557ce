import { randomUUID } from "node:crypto";
import { codecs } from "@parley/a2a/wire";
import type { ProtocolVersion } from "@parley/a2a";
import { forward } from "@parley/inspector/receive";
import type { Forwarded } from "@parley/inspector/receive";
import type { ScenarioStep } from "./scenarios.js";

export interface NotifyOptions {
  readonly url: string;
  readonly token?: string;
  readonly version: ProtocolVersion;
}

/** A notification that was posted, and what the webhook answered. */
export interface Posted extends Forwarded {
  readonly id: string;
  readonly step: ScenarioStep;
}

/** Posts the notifications of a scenario to a webhook, one after the other, as an agent would. They are not signed. */
export async function* notifyWebhook(
  steps: readonly ScenarioStep[],
  { url, token, version }: NotifyOptions,
): AsyncGenerator<Posted, void, void> {
  const codec = codecs[version === "0.2" ? "0.3" : version];
  for (const [index, step] of steps.entries()) {
    const id = randomUUID();
    const { contentType, body } = codec.encodePushPayload(step.response, step.task);
    const headers = {
      "content-type": contentType,
      "a2a-version": version,
      "x-a2a-notification-id": id,
      "x-a2a-notification-sequence": String(index + 1),
      ...(token !== undefined && { "x-a2a-notification-token": token }),
    };
    yield { id, step, ...(await forward(url, { headers, body: JSON.stringify(body) })) };
  }
}

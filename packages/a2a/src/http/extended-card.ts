import type { AgentCard, JsonValue } from "../protocol/internal.js";
import { isJsonObject } from "../protocol/parse/internal.js";
import type { Codec } from "../wire/internal.js";
import { baseUrlOf, interfacesAt } from "./card-address.js";
import type { Exchange } from "./exchange.js";
import type { Host } from "./site.js";

/**
 * An extended card as its caller reads it. One without interfaces is served where the public card is,
 * and like that it is signed in the form it is served in.
 */
export async function encodeExtendedCard(
  card: AgentCard,
  codec: Codec,
  { request, options }: Exchange,
  host: Host,
): Promise<JsonValue> {
  const hasInterfaces = card.supportedInterfaces.length > 0;
  const supportedInterfaces = hasInterfaces
    ? card.supportedInterfaces
    : interfacesAt(baseUrlOf(request, host, options), host, options);
  const whole = { ...card, supportedInterfaces };
  const declared = host.auth === undefined ? whole : host.auth.declareIn(whole);
  const encoded = codec.encodeResult.getExtendedAgentCard(declared, {});
  if (options.signCard === undefined || !isJsonObject(encoded)) return encoded;
  return options.signCard(encoded, codec.version === "1.0" ? "1.0" : "0.3");
}

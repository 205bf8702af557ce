import { invokeExtendedCard } from "../../binding/internal.js";
import type { Call } from "../../binding/internal.js";
import type { JsonValue } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Exchange } from "../exchange.js";
import { declareKeys } from "../key-set.js";
import { baseUrlOf, interfacesAt } from "./card-address.js";

/** Asks the agent for its extended card, and signs it like the public card, in the form it is served in. */
export async function answerExtendedCard(
  { request, options }: Exchange,
  call: Call,
): Promise<JsonValue> {
  const { agent, codec } = call;
  const base = baseUrlOf(request, agent, options);
  const declared = await invokeExtendedCard(call, () => interfacesAt(base, agent, options));
  const card = declareKeys(declared, base, options);
  const encoded = codec.encodeResult.getExtendedAgentCard(card, {});
  if (options.signCard === undefined || !isJsonObject(encoded)) return encoded;
  return options.signCard(encoded, codec.version === "1.0" ? "1.0" : "0.3");
}

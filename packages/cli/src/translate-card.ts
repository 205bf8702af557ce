import { decodeAgentCard, encodeCardForm, inferCardVersion } from "@parley/a2a/wire";
import { orReason } from "./translation.js";
import type { Translation } from "./translation.js";

const forms = {
  "Card 1.0": "1.0",
  "Card 0.3": "0.3",
  "Card for both": "blended",
  "Card at agent.json": "blended-0.1",
} as const;

/** Translates an agent card of any version into the forms in which a server serves it. */
export function translateCard(document: object): Translation {
  const card = decodeAgentCard(document);
  return {
    found: `agent card of version ${inferCardVersion(document)}`,
    forms: Object.entries(forms).map(([title, form]) => ({
      title,
      body: orReason(() => encodeCardForm(card, form)),
    })),
  };
}

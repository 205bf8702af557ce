import type { CardCheck } from "../check.js";
import { cardAddresses } from "./card-addresses.js";
import { cardCaching } from "./card-caching.js";
import { cardFields } from "./card-fields.js";
import { cardFound } from "./card-found.js";
import { cardInterfaces } from "./card-interfaces.js";
import { cardMediaType } from "./card-media-type.js";
import { cardOldPath } from "./card-old-path.js";
import { cardPages } from "./card-pages.js";
import { cardSecurity } from "./card-security.js";
import { cardSignature } from "./card-signature.js";
import { clock } from "./clock.js";
import { pushKeys } from "./push-keys.js";

/** The checks of the card, in the order in which they are made. */
export const cardChecks: readonly CardCheck[] = [
  cardFound,
  cardOldPath,
  cardMediaType,
  cardCaching,
  cardFields,
  cardInterfaces,
  cardAddresses,
  cardSecurity,
  cardSignature,
  cardPages,
  pushKeys,
  clock,
];

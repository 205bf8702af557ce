/**
 * What not every caller needs from the start, in one piece: whoever cut it up would find its pieces
 * heavier than the whole.
 */
export { authorizedFetch } from "./credentials/authorized-fetch.js";
export { authorizedService } from "./credentials/authorized-service.js";
export { findCard, readCard } from "./card/find-card.js";
export { intercept } from "./calls/interceptor.js";
export { createOtherTransport } from "./interface/other-transport.js";
export { refuseInterfaces } from "./interface/refuse-interfaces.js";

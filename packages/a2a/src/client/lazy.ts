/**
 * What not every caller needs from the start, in one piece: whoever cut it up would find its pieces
 * heavier than the whole.
 */
export { authorizedFetch } from "./credentials/authorized-fetch.js";
export { authorizedService } from "./credentials/authorized-service.js";
export { findCard, readCard } from "./find-card.js";
export { intercept } from "./interceptor.js";
export { createOtherTransport } from "./other-transport.js";
export { refuseInterfaces } from "./refuse-interfaces.js";

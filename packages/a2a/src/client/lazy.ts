/**
 * The part of the client that is loaded on demand, since not every caller needs it. One module, because one
 * chunk compresses better than several.
 */
export { authorizedFetch } from "./credentials/authorized-fetch.js";
export { authorizedService } from "./credentials/authorized-service.js";
export { readRefusal } from "./credentials/refusal.js";
export { findCard } from "./card/find-card.js";
export { canceledAlready } from "./calls/canceled-already.js";
export { compareWithTask } from "./follow/compare-with-task.js";
export { intercept } from "./calls/interceptor.js";
export { createOtherTransport } from "./interface/other-transport.js";
export { notCompleted } from "./task-not-completed.js";
export { listPages } from "./list-pages.js";
export { refuseInterfaces } from "./interface/refuse-interfaces.js";
export { TaskHandle } from "./task-handle.js";
export { toPart } from "./to-part.js";

/** How the page talks to its backend. */
export { api } from "./client.js";
export { backendStatus, followFeed, onFeed } from "./feed.js";
export type { BackendStatus } from "./feed.js";
export { ProblemError, problemOf } from "./problem-error.js";
export { askedAtDoor, closeSession, exchange, openSession, sessionToken } from "./session.js";
export type { Asked } from "./session.js";
export type { ServerEvent } from "./sse.js";

/**
 * Wake-ups over NATS, for clusters whose fan-out outgrows PostgreSQL's LISTEN and NOTIFY. Needs the optional package
 * `@nats-io/transport-node`.
 */

export { connectNatsBus } from "./connect-nats-bus.js";
export type { NatsBusOptions, NatsTls } from "./connect-nats-bus.js";
export type { Bus } from "../bus.js";

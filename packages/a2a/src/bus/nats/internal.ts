/** Wake-ups over NATS. */
export { connectNatsBus } from "./connect-nats-bus.js";

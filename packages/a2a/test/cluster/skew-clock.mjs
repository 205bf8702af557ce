/** Loaded before a node: its clock is wrong by so many milliseconds. */
import process from "node:process";

const skewMs = Number(process.env["CHAOS_CLOCK_SKEW_MS"] ?? 0);
const now = Date.now;
const RealDate = Date;

Date.now = () => now() + skewMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) =>
    given.length === 0 ? new target(now() + skewMs) : Reflect.construct(target, given),
  apply: () => new RealDate(now() + skewMs).toString(),
});

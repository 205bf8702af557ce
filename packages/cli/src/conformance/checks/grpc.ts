import { expectThat, skip } from "../check.js";
import type { ConformanceCheck } from "../check.js";
import { told, unknownRead } from "../subject.js";

/** Requirements on gRPC (§10), as far as a client of it sees them. */
export const grpcChecks: readonly ConformanceCheck[] = [
  {
    id: "grpc:service",
    versions: ["0.3", "1.0"],
    bindings: ["GRPC"],
    async run(subject) {
      const outcome = await unknownRead(subject);
      const isServed = !["METHOD_NOT_FOUND", "UNAVAILABLE"].includes(outcome.error?.code ?? "");
      return expectThat(isServed, told(outcome));
    },
  },
  {
    id: "grpc:server-streaming",
    versions: ["0.3", "1.0"],
    bindings: ["GRPC"],
    async run(subject) {
      if (subject.card.capabilities.streaming !== true)
        return skip("the card declares no streaming");
      const streamed = await subject.streamed();
      return expectThat(streamed.arrivals.length > 0, `${streamed.arrivals.length} events`);
    },
  },
];

import type { status } from "@grpc/grpc-js";

/** Why a call cannot go on, where gRPC itself has a status for it. */
export class StatusError extends Error {
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.name = "StatusError";
    this.code = code;
  }
}

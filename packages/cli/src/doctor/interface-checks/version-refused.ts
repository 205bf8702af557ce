import { unknownTaskId } from "../../probe/probe-message.js";
import type { InterfaceCheck } from "../check.js";
import { ok, skipped, warn } from "@parley/inspector/probe";

/** A version that nobody serves is refused, so that a client of the future learns what to speak. */
export const versionRefused: InterfaceCheck = {
  name: "version-refused",
  proves: "A request in a version that the agent does not serve is refused as such.",
  async run({ session }) {
    if (session.version !== "1.0") return skipped(`${session.version} does not name versions`);
    if (session.declared.protocolBinding === "GRPC") return skipped("not tried over gRPC");
    const { error } = await session.call(
      "getTask",
      { id: unknownTaskId() },
      {
        alter: (request) => {
          const headers = new Headers(request.headers);
          headers.set("A2A-Version", "99.0");
          return { ...request, headers };
        },
      },
    );
    if (error?.code === "VERSION_NOT_SUPPORTED") return ok("A2A-Version: 99.0 is refused");
    return warn(
      `A2A-Version: 99.0 is answered with ${error?.code ?? "a result"}`,
      "answer VersionNotSupportedError, and let the proxy pass the header A2A-Version on",
    );
  },
};

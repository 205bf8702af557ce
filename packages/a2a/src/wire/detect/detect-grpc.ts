import { A2AError, protocolVersions } from "../../protocol/internal.js";
import type { ProtocolVersion } from "../../protocol/internal.js";
import type { GrpcVersion } from "../dialect.js";
import { quote } from "../members/quote.js";
import { createVersionError, parseVersion } from "../version.js";

export interface GrpcCall {
  /** `/package.Service/Method` */
  readonly path: string;
  /** The metadata `a2a-version`. */
  readonly version: string | undefined;
  /** Refuse calls of the 1.0 service that name no version: by §3.6.2 they ask for 0.3. */
  readonly strict?: boolean;
}

export interface DetectedGrpc {
  readonly version: GrpcVersion;
  /** The name of the method in the proto. */
  readonly method: string;
}

interface Service {
  readonly version: GrpcVersion;
  readonly served: readonly ProtocolVersion[];
  readonly aliases: Readonly<Record<string, string>>;
}

/** The names of the push methods of `a2a.v1` until 0.2.4. The prose of 0.3 still has them. */
export const grpcMethodAliases: Readonly<Record<string, string>> = {
  CreateTaskPushNotification: "CreateTaskPushNotificationConfig",
  GetTaskPushNotification: "GetTaskPushNotificationConfig",
  ListTaskPushNotification: "ListTaskPushNotificationConfig",
};

/** The service for methods that extensions define. */
export const extensionService = "parley.a2a.v1.ExtensionService";

/** The release candidate of 1.0 cannot be served: it has the path of 0.3 with other field numbers. */
const services: ReadonlyMap<string, Service> = new Map([
  [
    "a2a.v1.A2AService",
    {
      version: "0.3",
      served: protocolVersions.filter((version) => version !== "1.0"),
      aliases: grpcMethodAliases,
    },
  ],
  ["lf.a2a.v1.A2AService", { version: "1.0", served: ["1.0"], aliases: {} }],
  // Methods of extensions are of no version.
  [extensionService, { version: "1.0", served: protocolVersions, aliases: {} }],
]);

/** Finds the version and the method of a gRPC call, or the error that refuses it. */
export function detectGrpc({
  path,
  version,
  strict = false,
}: GrpcCall): DetectedGrpc | { readonly error: A2AError } {
  const [, name = "", method = "", ...rest] = path.split("/");
  const service = services.get(name);
  if (service === undefined || method === "" || rest.length > 0) {
    const error = new A2AError("METHOD_NOT_FOUND", `there is no method ${quote(path)}`);
    return { error };
  }
  try {
    const named = parseVersion(version, service.served);
    checkVersion(name, service, named ?? (strict ? "0.3" : undefined));
  } catch (error) {
    return { error: A2AError.from(error) };
  }
  const aliased = Object.hasOwn(service.aliases, method) ? service.aliases[method] : undefined;
  return { version: service.version, method: aliased ?? method };
}

function checkVersion(
  name: string,
  { served }: Service,
  requested: ProtocolVersion | undefined,
): void {
  if (requested === undefined || served.includes(requested)) return;
  const problem = `version ${requested} is not served by ${name}`;
  throw createVersionError(problem, { requested, supported: served });
}

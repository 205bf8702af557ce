import type { AgentInterface } from "../protocol/index.js";
import { grpcTenant } from "../wire/index.js";
import type { HttpOptions, Mount } from "./hosted-agent.js";
import type { HttpRequest } from "./http-message.js";
import { publicUrlOf } from "./public-url.js";
import { pathOf } from "./site.js";

/** The base URL of an agent as its caller knows it, without a slash at its end: REST appends one. */
export function baseUrlOf(request: HttpRequest, mount: Mount, options: HttpOptions): string {
  return `${publicUrlOf(request, options)}${pathOf(mount)}`;
}

/** Every binding and version at which an agent is reached, the preferred first. */
export function interfacesAt(
  url: string,
  mount: Mount,
  { grpcAddress, mounts }: HttpOptions,
): readonly AgentInterface[] {
  const at = (protocolBinding: string, protocolVersion: string): AgentInterface => ({
    url,
    protocolBinding,
    protocolVersion,
    ...(mount.tenant !== undefined && { tenant: mount.tenant }),
  });
  const overGrpc = (protocolVersion: string): readonly AgentInterface[] => {
    const tenant = grpcTenant(mount);
    // Before 1.0 there is no tenant by which one of several agents could be meant.
    const isMeant = tenant === undefined || protocolVersion === "1.0" || mounts.length === 1;
    if (grpcAddress === undefined || !isMeant) return [];
    const named = tenant === undefined ? {} : { tenant };
    return [{ url: grpcAddress, protocolBinding: "GRPC", protocolVersion, ...named }];
  };
  return [
    at("JSONRPC", "1.0"),
    at("HTTP+JSON", "1.0"),
    ...overGrpc("1.0"),
    at("JSONRPC", "0.3"),
    at("HTTP+JSON", "0.3"),
    ...overGrpc("0.3"),
    at("JSONRPC", "0.1"),
  ];
}

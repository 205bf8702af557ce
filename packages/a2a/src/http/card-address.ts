import type { AgentInterface } from "../protocol/index.js";
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
  { grpcAddress }: HttpOptions,
): readonly AgentInterface[] {
  const tenant = mount.tenant === undefined ? {} : { tenant: mount.tenant };
  const at = (protocolBinding: string, protocolVersion: string, address = url): AgentInterface => ({
    url: address,
    protocolBinding,
    protocolVersion,
    ...tenant,
  });
  const grpc = grpcAddress === undefined ? [] : [grpcAddress];
  return [
    at("JSONRPC", "1.0"),
    at("HTTP+JSON", "1.0"),
    ...grpc.map((address) => at("GRPC", "1.0", address)),
    at("JSONRPC", "0.3"),
    at("HTTP+JSON", "0.3"),
    ...grpc.map((address) => at("GRPC", "0.3", address)),
    at("JSONRPC", "0.1"),
  ];
}

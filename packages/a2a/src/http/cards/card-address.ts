import type { MountedAgent } from "../../binding/internal.js";
import type { AgentInterface } from "../../protocol/internal.js";
import type { HttpOptions } from "../http-options.js";
import type { HttpRequest } from "../http-message.js";
import { publicUrlOf } from "../public-url.js";

/** The base URL of an agent as its caller knows it. Without a trailing slash, since REST appends one. */
export function baseUrlOf(request: HttpRequest, agent: MountedAgent, options: HttpOptions): string {
  return `${publicUrlOf(request, options)}${agent.path}`;
}

/** Every binding and version at which an agent is reached, the preferred ones first. */
export function interfacesAt(
  url: string,
  { tenant, name, tenantPath, isDefault }: MountedAgent,
  { grpcAddress }: HttpOptions,
): readonly AgentInterface[] {
  const http = { url, ...(tenant !== undefined && { tenant }) };
  const grpc =
    grpcAddress === undefined
      ? undefined
      : { url: grpcAddress, ...(name !== undefined && { tenant: name }) };
  // Callers before 1.0 cannot name a tenant: over HTTP the agent has a URL of its own for them, over gRPC none.
  const earlier = tenantPath === undefined ? undefined : { url: `${url}${tenantPath}` };
  const earlierGrpc = isDefault ? grpc : undefined;
  return [
    ...list("1.0", [
      ["JSONRPC", http],
      ["HTTP+JSON", http],
      ["GRPC", grpc],
    ]),
    ...["0.3", "0.2"].flatMap((version) =>
      list(version, [
        ["JSONRPC", earlier],
        ["HTTP+JSON", earlier],
        ["GRPC", earlierGrpc],
      ]),
    ),
    ...list("0.1", [["JSONRPC", earlier]]),
  ];
}

type Address = Pick<AgentInterface, "url" | "tenant">;

function list(
  protocolVersion: string,
  addresses: readonly (readonly [binding: string, address: Address | undefined])[],
): readonly AgentInterface[] {
  return addresses.flatMap(([protocolBinding, address]) =>
    address === undefined ? [] : [{ ...address, protocolBinding, protocolVersion }],
  );
}

import type { AgentInterface } from "../protocol/internal.js";
import { grpcTenant } from "../wire/internal.js";
import type { HttpOptions } from "./http-options.js";
import type { HttpRequest } from "./http-message.js";
import { publicUrlOf } from "./public-url.js";
import { pathOf, tenantPath } from "./site.js";
import type { Host } from "./site.js";

/** The base URL of an agent as its caller knows it, without a slash at its end: REST appends one. */
export function baseUrlOf(request: HttpRequest, host: Host, options: HttpOptions): string {
  return `${publicUrlOf(request, options)}${host.path}`;
}

/** Every binding and version at which an agent is reached, the preferred first. */
export function interfacesAt(
  url: string,
  { mount, path }: Host,
  { grpcAddress, mounts }: HttpOptions,
): readonly AgentInterface[] {
  const named = mount.tenant === undefined ? {} : { tenant: mount.tenant };
  const called = grpcTenant(mount);
  const grpc =
    grpcAddress === undefined
      ? undefined
      : { url: grpcAddress, ...(called !== undefined && { tenant: called }) };
  // Before 1.0 there are no tenants: who is meant by one has a URL of its own, and over gRPC none. Who is
  // alone at its path needs no name.
  const isAlone = mounts.filter((other) => pathOf(other) === path).length === 1;
  const ownPath = tenantPath(mount) ?? (isAlone ? "" : undefined);
  const earlier = ownPath === undefined ? undefined : { url: `${url}${ownPath}` };
  const earlierGrpc = called === undefined || mounts.length === 1 ? grpc : undefined;
  return [
    ...list("1.0", [
      ["JSONRPC", { url, ...named }],
      ["HTTP+JSON", { url, ...named }],
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

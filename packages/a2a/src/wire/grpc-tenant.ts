/** Where an agent is found on a server that has several. */
export interface AgentPlace {
  /** The path of its base URL, such as `/travel`; the root when absent. */
  readonly path?: string;
  /** The tenant that it is for. */
  readonly tenant?: string;
}

/**
 * The tenant by which callers over gRPC, where there are no paths, mean an agent: what its path says over
 * HTTP, then the tenant it is for. `travel` at `/travel`, `travel/acme` for the tenant `acme` there. None
 * is needed for an agent that is at the root and for everyone.
 */
export function grpcTenant({ path = "", tenant = "" }: AgentPlace): string | undefined {
  const segments = [...path.split("/"), tenant].filter((segment) => segment !== "");
  return segments.length === 0 ? undefined : segments.join("/");
}

/** Where a public card is served, in the order in which a client looks for it (§8.2; 0.1 and 0.2). */
export const discoveryPaths = ["/.well-known/agent-card.json", "/.well-known/agent.json"] as const;

export type DiscoveryPath = (typeof discoveryPaths)[number];

/** True for a path, counted from the origin, at which a public card is asked for. */
export function isDiscoveryPath(path: string): path is DiscoveryPath {
  return (discoveryPaths as readonly string[]).includes(path);
}

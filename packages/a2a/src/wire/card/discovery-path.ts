/** The paths of public cards, in the order in which clients try them (§8.2; 0.1 and 0.2). */
export const discoveryPaths = ["/.well-known/agent-card.json", "/.well-known/agent.json"] as const;

export type DiscoveryPath = (typeof discoveryPaths)[number];

/** True for the path of a public card, counted from the origin. */
export function isDiscoveryPath(path: string): path is DiscoveryPath {
  return (discoveryPaths as readonly string[]).includes(path);
}

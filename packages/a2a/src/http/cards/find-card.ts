import type { MountedAgent, MountPoint } from "../../binding/internal.js";
import { isDiscoveryPath } from "../../wire/internal.js";

/** Where the extended card is in 0.2: a document, not an operation. */
export const extendedCardPath = "/agent/authenticatedExtendedCard";

/** A mount point, and the path below it that a request is for. */
export interface FoundPoint {
  readonly point: MountPoint;
  /** Begins with a slash. */
  readonly path: string;
}

/**
 * Finds the agent of a card that is asked for outside of its agent's path: the public card at the origin (§8.2),
 * and in 0.2 the extended card beside the agent. Finds none where several agents could be meant.
 */
export function findCardOutside(
  points: readonly MountPoint[],
  target: string,
): FoundPoint | undefined {
  const isPublic = isDiscoveryPath(target);
  if (!isPublic && !target.endsWith(extendedCardPath)) return undefined;
  const candidates = points.filter(isPublic ? isMounted : isBeside(target));
  const [point] = candidates;
  if (point === undefined || candidates.length > 1) return undefined;
  return { point, path: isPublic ? target : extendedCardPath };
}

/** Whether an agent is mounted at the point itself, which is not only the URL of a tenant. */
function isMounted({ path, agents }: MountPoint): boolean {
  return agents.some((agent) => agent.path === path);
}

function isBeside(target: string): (point: MountPoint) => boolean {
  const parent = target.slice(0, -extendedCardPath.length);
  return ({ path }) => path.slice(0, path.lastIndexOf("/")) === parent;
}

/**
 * The agent whose public card a path below a mount point asks for: that of the tenant in the path, else the one
 * that serves every tenant, else the first. None if the path is not that of a card.
 */
export function agentOfCard({ agents }: MountPoint, path: string): MountedAgent | undefined {
  if (isDiscoveryPath(path)) {
    return agents.find(({ tenant }) => tenant === undefined) ?? agents[0];
  }
  return agents.find(({ tenant }) => {
    if (tenant === undefined) return false;
    const prefix = `/${encodeURIComponent(tenant)}`;
    return path.startsWith(prefix) && isDiscoveryPath(path.slice(prefix.length));
  });
}

import type { NodeRecord } from "@parley/a2a/store";

/** So many characters at least, so that no typing mistake finds a node. */
const shortest = 4;

/**
 * The nodes that an operator means: the one of this id, or whose id alone begins so; else all of a server, by its address
 * or the host in it, since each agent of a server is a node. Throws when there is none, or when several ids begin so.
 */
export function findNodes(nodes: readonly NodeRecord[], name: string): readonly NodeRecord[] {
  const exact = nodes.filter(({ node }) => node === name);
  if (exact.length > 0) return exact;
  const served = nodes.filter(({ address }) => isAt(address, name));
  if (served.length > 0) return served;
  const begun = name.length < shortest ? [] : nodes.filter(({ node }) => node.startsWith(name));
  if (begun.length === 1) return begun;
  if (begun.length > 1) {
    throw new Error(`${begun.length} nodes begin with ${name}; give the whole id of one`);
  }
  throw new Error(`there is no node ${name}; parley cluster status lists the nodes`);
}

function isAt(address: string | undefined, name: string): boolean {
  if (address === undefined) return false;
  if (address === name) return true;
  const { host, hostname } = URL.canParse(address) ? new URL(address) : { host: "", hostname: "" };
  return name !== "" && (host === name || hostname === name);
}

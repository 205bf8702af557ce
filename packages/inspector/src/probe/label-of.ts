import type { AgentInterface } from "@parley/a2a";

/** An interface in words, such as `JSONRPC 1.0`. */
export function labelOf({ protocolBinding, protocolVersion, tenant }: AgentInterface): string {
  const of = tenant === undefined ? "" : ` for ${tenant}`;
  return `${protocolBinding} ${protocolVersion}${of}`;
}

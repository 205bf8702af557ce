import { A2AError, protocolVersions } from "../protocol/internal.js";
import type { ProtocolVersion } from "../protocol/internal.js";
import { quote } from "./members/quote.js";

/** The service parameter that names the version: a header, gRPC metadata or query parameter (§3.6.1). */
export const versionParameter = "A2A-Version";

const majorMinorPatch = /^(0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})(?:\.\d{1,9})?$/;

/** `1.0` for `1.0` and for `1.0.1`, because the patch number never matters. `undefined` for anything else. */
export function majorMinor(value: string): string | undefined {
  const match = majorMinorPatch.exec(value.trim());
  return match === null ? undefined : `${match[1]}.${match[2]}`;
}

/**
 * The version that a caller asks for. `undefined` when the caller names none; what that means depends on
 * the binding. Throws `VERSION_NOT_SUPPORTED`, with the supported versions, for anything else.
 */
export function parseVersion(
  value: string | null | undefined,
  supported: readonly ProtocolVersion[] = protocolVersions,
): ProtocolVersion | undefined {
  if (value === undefined || value === null) return undefined;
  const exact = servedVersion(value);
  if (exact !== undefined) return exact;
  const named = value.trim();
  if (named === "") return undefined;
  const version = servedVersion(majorMinor(named));
  if (version !== undefined) return version;
  throw createVersionError(`version ${quote(named)} is not supported`, {
    requested: named,
    supported,
  });
}

function servedVersion(value: string | undefined): ProtocolVersion | undefined {
  return protocolVersions.find((served) => served === value);
}

/** Creates a `VERSION_NOT_SUPPORTED` error that tells the caller which versions it can use here. */
export function createVersionError(
  problem: string,
  {
    requested,
    supported = protocolVersions,
  }: { readonly requested: string; readonly supported?: readonly ProtocolVersion[] },
): A2AError {
  const supportedVersions = supported.join(", ");
  return new A2AError("VERSION_NOT_SUPPORTED", `${problem}; supported here: ${supportedVersions}`, {
    details: {
      metadata: { requestedVersion: requested.slice(0, 64).toWellFormed(), supportedVersions },
    },
  });
}

export interface VersionSources {
  readonly header?: string | null | undefined;
  readonly query?: URLSearchParams | undefined;
}

/** The version as the request names it, not parsed. The header wins over the query; blank counts as absent. */
export function requestedVersion({ header, query }: VersionSources): string | undefined {
  const named = header?.trim();
  if (named) return named;
  for (const [name, value] of query ?? []) {
    if (isVersionParameter(name) && value.trim() !== "") return value.trim();
  }
  return undefined;
}

/** Names of service parameters are compared without regard to case (§3.2.6). */
function isVersionParameter(name: string): boolean {
  return name.toLowerCase() === "a2a-version";
}

/** True for `1`, `1.0`, `99.0`. A caller who asks for such a version gets errors in the form of 1.0. */
export function isAtLeastVersion1(value: string | undefined): boolean {
  return value !== undefined && /^\s*[1-9]\d*\s*(?:\.|$)/.test(value);
}

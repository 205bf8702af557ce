import type { RequirementId } from "./requirements.js";

/**
 * Every MUST that no test cites: those not tested yet and those that no test can show, such as
 * duties of whoever runs a server. Set `UPDATE_UNCITED=1` when running the tests to rewrite it.
 */
export const uncited: readonly RequirementId[] = [
  "artifact:last-chunk",
  "binding:types-from-proto",
  "card:custom-binding-declared",
  "card:interface-https",
  "card:oauth2-flow",
  "card:skill-modes",
  "error:appropriate",
  "extended-card:permission",
  "extension:client-complies",
  "grpc:delete-empty",
  "grpc:error-details",
  "grpc:error-info",
  "grpc:error-status",
  "grpc:metadata-read",
  "grpc:server-streaming",
  "grpc:service",
  "grpc:tls",
  "json:required-array",
  "json:required-present",
  "json:timestamp-format",
  "message:history-reliance",
  "message:reliance",
  "message:server-context",
  "security:data-protection",
  "security:encrypted-transport",
  "security:file-references",
  "security:sanitized",
  "task:state-required",
  "tenant:grpc-field",
  "tenant:opaque",
];

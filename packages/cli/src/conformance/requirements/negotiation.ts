/**
 * Requirements on errors and on the choice of interface, version, extension and tenant
 * (§3.3, §3.6, §4.6, §8.3).
 */
export const negotiation = {
  "error:appropriate": {
    section: "3.3.2",
    level: "MUST",
    text: "A server answers a failed operation with an error of the fitting kind.",
  },
  "error:actionable": {
    section: "3.3.2",
    level: "SHOULD",
    text: "A server tells the client in an error what it can do about it.",
  },
  "error:code-and-message": {
    section: "3.3.2",
    level: "MUST",
    text: "A server gives every error a machine-readable code and a readable message.",
  },
  "error:detail-type": {
    section: "3.3.2",
    level: "MUST",
    text: "A server gives every error detail object an @type member.",
  },
  "error:well-known-details": {
    section: "3.3.2",
    level: "SHOULD",
    text: "A server uses the google.rpc detail types in its errors where they fit.",
  },
  "error:native-form": {
    section: "3.3.2",
    level: "MUST",
    text: "A server carries the code, message and details of an error in the native error form of the binding.",
  },
  "error:validate-input": {
    section: "3.3.2",
    level: "MUST",
    text: "A server validates all parameters of a request before it acts on any.",
  },
  "error:invalid-fields": {
    section: "3.3.2",
    level: "SHOULD",
    text: "A server names in a validation error the parameters that failed and why.",
  },
  "error:valid-values": {
    section: "3.3.2",
    level: "SHOULD",
    text: "A server says in a validation error which values or formats are valid.",
  },
  "error:not-found": {
    section: "3.3.2",
    level: "MUST",
    text: "A server answers a request for a resource that is missing or hidden from the caller with a not-found error.",
  },
  "error:missing-like-hidden": {
    section: "3.3.2",
    level: "SHOULD",
    text: "A server answers for a hidden resource exactly as it answers for a missing one.",
  },
  "error:temporary": {
    section: "3.3.2",
    level: "SHOULD",
    text: "A server uses different error codes for temporary and for permanent failures.",
  },
  "error:retry-guidance": {
    section: "3.3.2",
    level: "MAY",
    text: "A server tells the client in a system error when to try again.",
  },
  "error:system-logged": {
    section: "3.3.2",
    level: "SHOULD",
    text: "A server logs system errors.",
  },
  "error:invalid-agent-response": {
    section: "3.3.2",
    level: "MUST",
    text: "A server reports an agent response that does not fit the operation as InvalidAgentResponseError.",
  },
  "version:client-sends": {
    section: "3.6.1",
    level: "MUST",
    text: "A client sends A2A-Version with each request.",
  },
  "version:query-parameter": {
    section: "3.6.1",
    level: "MAY",
    text: "A client sends A2A-Version as a request parameter in place of a header.",
  },
  "version:major-minor": {
    section: "14.2.1",
    level: "MUST",
    text: "A client writes the version as major and minor number.",
  },
  "version:no-patch": {
    section: "3.6",
    level: "SHOULD",
    text: "A client and a server leave the patch number out of requests, responses and cards.",
  },
  "version:patch-ignored": {
    section: "3.6",
    level: "MUST",
    text: "A server and a client disregard the patch number when they compare versions.",
  },
  "version:requested-semantics": {
    section: "3.6.2",
    level: "MUST",
    text: "A server processes a request by the rules of the major and minor version that it asks for.",
  },
  "version:unsupported": {
    section: "3.6.2",
    level: "MUST",
    text: "A server answers any operation in a version that the interface does not offer with VersionNotSupportedError.",
  },
  "version:absent": {
    section: "3.6.2",
    level: "MUST",
    text: "A server takes an absent or empty version as 0.3.",
  },
  "version:client-tooling": {
    section: "3.6.3",
    level: "MUST",
    text: "A client library helps its user to negotiate the binding and the protocol version.",
  },
  "version:no-silent-fallback": {
    section: "3.6.3",
    level: "SHOULD",
    text: "A client can be told to use a given version and never to fall back to an older one.",
  },
  "extension:declared": {
    section: "4.6.1",
    level: "MUST",
    text: "A server lists the extensions that it supports in the capabilities of its card.",
  },
  "extension:requested": {
    section: "4.6.1",
    level: "MUST",
    text: "A client asks for extensions by listing their URIs in A2A-Extensions.",
  },
  "extension:required-missing": {
    section: "3.3.4",
    level: "MUST",
    text: "A server answers a request that does not ask for a required extension with ExtensionSupportRequiredError.",
  },
  "extension:unsupported-ignored": {
    section: "4.6.3",
    level: "SHOULD",
    text: "A server ignores a requested extension version that it does not support.",
  },
  "extension:required-unsupported": {
    section: "4.6.3",
    level: "MUST",
    text: "A server answers a request for an unsupported version of a required extension with an error.",
  },
  "extension:no-older-version": {
    section: "4.6.3",
    level: "MUST",
    text: "A server never puts an older version of an extension in place of the requested one.",
  },
  "extension:client-complies": {
    section: "4.4.4",
    level: "MUST",
    text: "A client that uses an agent meets the demands of each extension that its card marks as required.",
    instead:
      "The client asks for the extensions that its program names, for only the program knows whether it meets their demands.",
  },
  "tenant:client-echoes": {
    section: "8.3.2",
    level: "MUST",
    text: "A client sends in every request exactly the tenant of the interface that it selected.",
  },
  "tenant:client-omits": {
    section: "8.3.2",
    level: "MUST",
    text: "A client sends no tenant when the selected interface declares none.",
  },
  "tenant:opaque": {
    section: "4.4.6",
    level: "MUST",
    text: "A client takes the tenant of an interface as an opaque routing value.",
  },
  "tenant:rest-path": {
    section: "11.3",
    level: "MUST",
    text: "A server takes the tenant as the first path segment of any REST operation.",
  },
  "tenant:jsonrpc-param": {
    section: "9.4",
    level: "MUST",
    text: "A server takes the tenant as a member of the JSON-RPC params of any method.",
  },
  "tenant:grpc-field": {
    section: "10.4",
    level: "MUST",
    text: "A server takes the tenant from the tenant field of any gRPC request.",
  },
  "client:check-capabilities": {
    section: "3.3.4",
    level: "SHOULD",
    text: "A client looks for a capability in the card before it uses an operation that needs it.",
  },
  "client:select-first": {
    section: "8.3.2",
    level: "MUST",
    text: "A client selects the first interface that it supports in the order of the card.",
  },
  "client:interface-url": {
    section: "8.3.2",
    level: "MUST",
    text: "A client sends requests to the url of the interface that it selected.",
  },
  "client:fallback": {
    section: "5.2",
    level: "SHOULD",
    text: "A client falls back to another declared binding when one fails.",
    instead:
      "The client keeps to the interface that it has chosen, because a call that may have arrived cannot be repeated elsewhere, and its program can name another.",
  },
  "client:deprecated-aliases": {
    section: "1.4",
    level: "SHOULD",
    text: "A client library keeps deprecated aliases of renamed types.",
    instead:
      "The library has had only one name for each type, and reads the earlier names on the wire.",
  },
  "client:current-names": {
    section: "A.2",
    level: "SHOULD",
    text: "A client uses the current names of protocol objects.",
  },
  "client:dual-reading": {
    section: "A.2",
    level: "SHOULD",
    text: "A client reads both the current and the older form of an object where the two can be told apart.",
  },
  "client:older-names-logged": {
    section: "A.2",
    level: "SHOULD",
    text: "A client logs a warning when it receives an object in an older form.",
    instead:
      "The client logs nothing, because it speaks every version on purpose, and says which one it speaks in version.",
  },
} as const;

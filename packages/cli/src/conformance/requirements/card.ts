/** Requirements on the agent card, the extended card and their signatures (§4.4, §4.5, §8, §13.3). */
export const card = {
  "card:available": {
    section: "8.1",
    level: "MUST",
    text: "A server makes an agent card available.",
  },
  "card:well-known": {
    section: "14.3",
    level: "MUST",
    text: "A server that answers /.well-known/agent-card.json answers with an agent card.",
  },
  "card:required-fields": {
    section: "4.4.1",
    level: "MUST",
    text: "A server sets name, description, version, interfaces, capabilities, default modes and skills in its card.",
  },
  "card:provider-fields": {
    section: "4.4.2",
    level: "MUST",
    text: "A server that names a provider gives its organization and url.",
  },
  "card:skill-fields": {
    section: "4.4.5",
    level: "MUST",
    text: "A server gives every skill an id, a name, a description and tags.",
  },
  "card:skill-modes": {
    section: "4.4.5",
    level: "MUST",
    text: "A client takes the modes of a skill in place of the card's default modes.",
    instead:
      "The client sends what its program gives it, and shows the program the modes of each skill.",
  },
  "card:declares-bindings": {
    section: "5.2",
    level: "MUST",
    text: "A server declares in its card every binding that it supports.",
  },
  "card:interfaces-complete": {
    section: "8.3.1",
    level: "SHOULD",
    text: "A server lists every combination of binding and version in supportedInterfaces, in order of preference.",
  },
  "card:interface-accurate": {
    section: "8.3.1",
    level: "MUST",
    text: "A server declares the true binding and url of each interface.",
  },
  "card:interface-fields": {
    section: "4.4.6",
    level: "MUST",
    text: "A server gives every interface a url, a protocolBinding and a protocolVersion.",
  },
  "card:interface-https": {
    section: "4.4.6",
    level: "MUST",
    text: "A server in production declares interfaces at absolute https urls.",
    instead:
      "The server says https where it speaks TLS itself or its operator says so, and http otherwise, so that it can be tried out.",
  },
  "card:shared-url": {
    section: "8.3.1",
    level: "MAY",
    text: "A server declares several bindings at one url.",
  },
  "card:custom-binding-uri": {
    section: "5.8",
    level: "SHOULD",
    text: "A server identifies a custom binding by a URI in protocolBinding.",
  },
  "card:custom-binding-declared": {
    section: "12.7",
    level: "MUST",
    text: "A server declares a custom binding in its card with its identifier and full url.",
  },
  "card:extended-capability": {
    section: "A.2.2",
    level: "MUST",
    text: "A server declares an extended card in capabilities.extendedAgentCard.",
  },
  "card:scheme-variant": {
    section: "4.5.1",
    level: "MUST",
    text: "A server describes a security scheme by exactly one of the five scheme kinds.",
  },
  "card:scheme-fields": {
    section: "4.5",
    level: "MUST",
    text: "A server sets every field that the kind of a security scheme requires, such as the place and name of an API key.",
  },
  "card:oauth2-flow": {
    section: "4.5.7",
    level: "MUST",
    text: "A server describes exactly one flow, with the urls and scopes that it requires, in each OAuth 2.0 scheme.",
  },
  "card:pkce": {
    section: "4.5.8",
    level: "SHOULD",
    text: "A client uses PKCE in the authorization code flow.",
  },
  "card:no-secrets": {
    section: "14.3",
    level: "SHOULD",
    text: "A server keeps credentials and internals out of its card.",
    instead:
      "The server writes no credential into a card, and leaves what else is in it to its author.",
  },
  "card:https": {
    section: "14.3",
    level: "SHOULD",
    text: "A server offers its card over https.",
  },
  "card:cache-control": {
    section: "8.6.1",
    level: "SHOULD",
    text: "A server sends its card with a Cache-Control header that has a max-age.",
  },
  "card:etag": {
    section: "8.6.1",
    level: "SHOULD",
    text: "A server sends its card with an ETag made from its version or content.",
  },
  "card:last-modified": {
    section: "8.6.1",
    level: "MAY",
    text: "A server sends its card with a Last-Modified header.",
  },
  "card:client-caches": {
    section: "8.6.2",
    level: "SHOULD",
    text: "A client honors HTTP caching rules when it fetches a card.",
  },
  "card:client-revalidates": {
    section: "8.6.2",
    level: "SHOULD",
    text: "A client fetches an expired card again by a conditional request.",
  },
  "extended-card:complete": {
    section: "3.1.11",
    level: "MUST",
    text: "A server answers GetExtendedAgentCard with a complete agent card.",
  },
  "extended-card:undeclared": {
    section: "3.3.4",
    level: "MUST",
    text: "A server whose card does not declare an extended card answers GetExtendedAgentCard with UnsupportedOperationError.",
  },
  "extended-card:not-configured": {
    section: "3.3.4",
    level: "MUST",
    text: "A server that declares an extended card but has none answers with ExtendedAgentCardNotConfiguredError.",
  },
  "extended-card:client-authenticates": {
    section: "3.1.11",
    level: "MUST",
    text: "A client authenticates its request for the extended card by a scheme of the public card.",
  },
  "extended-card:requires-authentication": {
    section: "13.3",
    level: "MUST",
    text: "A server refuses the extended card to a caller that is not authenticated.",
  },
  "extended-card:declared-scheme": {
    section: "13.3",
    level: "MUST",
    text: "A server authenticates a request for the extended card by a scheme that its public card declares.",
  },
  "extended-card:permission": {
    section: "13.3",
    level: "MUST",
    text: "A server checks the caller's permissions before it shows privileged content in the extended card.",
  },
  "extended-card:per-caller": {
    section: "13.3",
    level: "MAY",
    text: "A server returns different extended cards to different callers.",
  },
  "extended-card:documented-levels": {
    section: "13.3",
    level: "SHOULD",
    text: "A server documents which capabilities each level of authentication opens.",
  },
  "extended-card:no-secrets": {
    section: "13.3",
    level: "SHOULD",
    text: "A server keeps exploitable details out of the extended card.",
    instead:
      "The server writes no credential into an extended card, and leaves what else is in it to its author.",
  },
  "extended-card:cache-headers": {
    section: "13.3",
    level: "SHOULD",
    text: "A server controls the caching of the extended card by response headers.",
  },
  "extended-card:versioned": {
    section: "13.3",
    level: "SHOULD",
    text: "A server versions its extended card and lets clients detect a change.",
    instead:
      "The author gives the extended card a version, and answers are not cached, so that a client sees each change.",
  },
  "extended-card:replaces-cached": {
    section: "3.1.11",
    level: "SHOULD",
    text: "A client uses the extended card in place of the public one while its session lasts.",
  },
  "signature:optional": {
    section: "8.4",
    level: "MAY",
    text: "A server signs its card with JSON Web Signatures.",
  },
  "signature:canonical": {
    section: "8.4.1",
    level: "MUST",
    text: "A signer canonicalizes the card by RFC 8785 before it signs.",
  },
  "signature:required-kept": {
    section: "8.4.1",
    level: "MUST",
    text: "A signer keeps every required field of the card, even one with a default value.",
  },
  "signature:optional-set-kept": {
    section: "8.4.1",
    level: "MUST",
    text: "A signer keeps an optional field that was set, even to a default value.",
  },
  "signature:optional-unset-dropped": {
    section: "8.4.1",
    level: "MUST",
    text: "A signer leaves out an optional field that was not set.",
  },
  "signature:defaults-dropped": {
    section: "8.4.1",
    level: "MUST",
    text: "A signer leaves out every other field that has its default value.",
  },
  "signature:signatures-dropped": {
    section: "8.4.1",
    level: "MUST",
    text: "A signer leaves the signatures out of the content that it signs.",
  },
  "signature:encoding": {
    section: "8.4.2",
    level: "MUST",
    text: "A signer writes the protected header and the signature in base64url.",
  },
  "signature:protected-header": {
    section: "8.4.2",
    level: "MUST",
    text: "A signer puts alg and kid in the protected header.",
  },
  "signature:typ": {
    section: "8.4.2",
    level: "SHOULD",
    text: "A signer sets typ to JOSE in the protected header.",
  },
  "signature:jku": {
    section: "8.4.2",
    level: "MAY",
    text: "A signer puts the url of its key set as jku in the protected header.",
  },
  "signature:signing-input": {
    section: "8.4.2",
    level: "MUST",
    text: "A signer signs the encoded protected header and the encoded canonical card joined by a dot.",
  },
  "signature:several": {
    section: "8.4.3",
    level: "MAY",
    text: "A server puts several signatures on its card so that keys can change.",
  },
  "signature:verify-key": {
    section: "8.4.3",
    level: "MUST",
    text: "A verifier finds the public key by kid and jku or in a trusted store.",
  },
  "signature:verify-payload": {
    section: "8.4.3",
    level: "MUST",
    text: "A verifier checks a signature against the canonical form of the received card without its signatures.",
  },
  "signature:stale-key": {
    section: "8.4.3",
    level: "MUST",
    text: "A verifier uses no expired or revoked key.",
  },
  "signature:verify-one": {
    section: "8.4.3",
    level: "SHOULD",
    text: "A client verifies at least one signature before it trusts a card.",
  },
  "signature:verify-present": {
    section: "14.3",
    level: "SHOULD",
    text: "A client verifies the signatures that a card carries.",
    instead:
      "The client verifies signatures if its program gives verifyCard, for only the program knows whose keys it trusts.",
  },
  "signature:key-transport": {
    section: "8.4.3",
    level: "SHOULD",
    text: "A verifier fetches keys over https.",
  },
} as const;

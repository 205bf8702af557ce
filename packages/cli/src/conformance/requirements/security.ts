/** Requirements on authentication, authorization and safe operation (§7, §13). */
export const security = {
  "auth:every-request": {
    section: "7.4",
    level: "MUST",
    text: "A server authenticates every request by the schemes that it declares.",
  },
  "auth:rejected": {
    section: "3.3.2",
    level: "MUST",
    text: "A server rejects a request whose credentials are missing or invalid.",
  },
  "auth:challenge": {
    section: "7.4",
    level: "SHOULD",
    text: "A server tells a rejected caller how to authenticate.",
  },
  "auth:scheme-named": {
    section: "3.3.2",
    level: "SHOULD",
    text: "A server names the authentication scheme that a rejected request needs.",
  },
  "auth:native-code": {
    section: "7.4",
    level: "SHOULD",
    text: "A server rejects unauthenticated requests by the binding's own code.",
  },
  "auth:client-discovers": {
    section: "7.3",
    level: "MUST",
    text: "A client learns the needed schemes from the securitySchemes of the card.",
  },
  "auth:client-sends": {
    section: "7.3",
    level: "MUST",
    text: "A client sends its credentials in headers or metadata with every request.",
  },
  "auth:forbidden": {
    section: "3.3.2",
    level: "MUST",
    text: "A server answers a caller that lacks a needed permission with an authorization error.",
  },
  "auth:missing-permission": {
    section: "3.3.2",
    level: "SHOULD",
    text: "A server says which permission is missing without giving away hidden resources.",
  },
  "auth:existence-hidden": {
    section: "3.3.2",
    level: "MUST",
    text: "A server never reveals that a resource hidden from the caller exists.",
  },
  "auth:every-operation": {
    section: "13.1",
    level: "MUST",
    text: "A server checks authorization on every operation.",
  },
  "auth:scope": {
    section: "13.1",
    level: "MUST",
    text: "A server limits every result to what the caller is authorized to see.",
  },
  "auth:task-operations": {
    section: "13.1",
    level: "MUST",
    text: "A server checks the caller's access to a task before it reads, cancels, streams or configures push for it.",
  },
  "auth:check-first": {
    section: "13.1",
    level: "MUST",
    text: "A server checks authorization before any query that could give away a hidden resource.",
  },
  "auth:model": {
    section: "13.1",
    level: "MAY",
    text: "A server bases authorization on user, role, project, tenant or rules of its own.",
  },
  "auth:model-documented": {
    section: "13.1",
    level: "SHOULD",
    text: "A server documents its authorization model.",
  },
  "auth:in-task-tracked": {
    section: "7.6.1",
    level: "MUST",
    text: "A server that needs authorization during its work tracks that work by a task.",
  },
  "auth:in-task-state": {
    section: "7.6.1",
    level: "MUST",
    text: "A server that needs authorization during its work moves the task to the auth-required state.",
  },
  "auth:in-task-message": {
    section: "7.6.1",
    level: "MUST",
    text: "A server explains the authorization that it needs in the status message unless that is agreed elsewhere.",
  },
  "auth:in-task-out-of-band": {
    section: "7.6.1",
    level: "MUST",
    text: "A server receives in-task credentials outside the protocol unless another way is agreed.",
  },
  "auth:in-task-resume": {
    section: "7.6.1",
    level: "MAY",
    text: "A server goes on with the task once it has the credential, without a further message.",
  },
  "auth:in-task-messages": {
    section: "7.6.1",
    level: "SHOULD",
    text: "A server takes messages for a task that waits for authorization.",
  },
  "auth:in-task-delegation": {
    section: "7.6.2",
    level: "SHOULD",
    text: "A client that passes an authorization request on to its own client follows the rules for agents.",
    instead:
      "The client hands each request for authorization to its program, which may be an agent that asks its own caller.",
  },
  "auth:in-task-watch": {
    section: "7.6.2",
    level: "SHOULD",
    text: "A client without a stream watches a task that waits for authorization by subscription, webhook or polling.",
  },
  "auth:in-task-secure-channel": {
    section: "7.6.3",
    level: "SHOULD",
    text: "A server receives in-task credentials over a secure channel.",
    instead: "The operator gives the server a certificate, or puts a proxy with one before it.",
  },
  "auth:in-task-bound": {
    section: "7.6.3",
    level: "SHOULD",
    text: "A credential sent in a message is usable only by the agent that asked for it.",
  },
  "auth:in-task-encrypted": {
    section: "7.6.3",
    level: "SHOULD",
    text: "A sensitive credential sent in a message is readable only by the agent that asked for it.",
    instead:
      "The server shows credentials in messages to the handler alone and stores them nowhere, and leaves encryption within them to those who agree on it.",
  },
  "security:encrypted-transport": {
    section: "7.1",
    level: "MUST",
    text: "A server in production communicates only over TLS.",
    instead:
      "The operator gives the server a certificate, or puts a proxy with one before it, and plain HTTP stays possible for development.",
  },
  "security:modern-tls": {
    section: "7.1",
    level: "SHOULD",
    text: "A server uses modern TLS versions and strong ciphers.",
  },
  "security:old-tls": {
    section: "13.4",
    level: "SHOULD",
    text: "A server refuses SSL 3, TLS 1.0 and TLS 1.1.",
  },
  "security:server-certificate": {
    section: "7.2",
    level: "SHOULD",
    text: "A client checks the server's certificate against trusted authorities.",
  },
  "security:hsts": {
    section: "13.4",
    level: "SHOULD",
    text: "A server sends an HSTS header over https.",
  },
  "security:sanitized": {
    section: "14.1.1",
    level: "MUST",
    text: "A server guards against injection through content that users provide.",
  },
  "security:file-references": {
    section: "14.1.1",
    level: "MUST",
    text: "A server validates the file urls in messages before it fetches them.",
    instead: "The server fetches no file, and a handler that does has to check the url.",
  },
  "security:size-limits": {
    section: "13.4",
    level: "SHOULD",
    text: "A server limits the size of messages and files and the complexity of requests.",
  },
  "security:file-types": {
    section: "13.4",
    level: "SHOULD",
    text: "A server checks the media types of files and rejects unexpected ones.",
  },
  "security:credentials-secret": {
    section: "13.4",
    level: "MUST",
    text: "A server and a client treat credentials as secrets.",
  },
  "security:credentials-rotated": {
    section: "13.4",
    level: "SHOULD",
    text: "A server and a client renew their credentials from time to time.",
    instead:
      "The client renews tokens before they expire, and the operator can replace keys while the old ones are still read.",
  },
  "security:credentials-encrypted": {
    section: "13.4",
    level: "SHOULD",
    text: "A client sends credentials only over encrypted connections.",
  },
  "security:credentials-revocable": {
    section: "13.4",
    level: "SHOULD",
    text: "A server can revoke credentials.",
  },
  "security:authentication-failures": {
    section: "13.4",
    level: "SHOULD",
    text: "A server logs failed authentication and limits its rate.",
  },
  "security:events-logged": {
    section: "13.4",
    level: "SHOULD",
    text: "A server logs the events that matter to security.",
  },
  "security:monitoring": {
    section: "13.4",
    level: "SHOULD",
    text: "A server watches for unusual patterns of use.",
    instead:
      "The server writes every decision about a caller into an audit log, which the operator watches.",
  },
  "security:audit-trail": {
    section: "13.4",
    level: "SHOULD",
    text: "A server keeps an audit trail of sensitive operations.",
  },
  "security:logs-clean": {
    section: "13.4",
    level: "MUST",
    text: "A server keeps credentials and personal data out of its logs unless they are needed there and protected.",
  },
  "security:rate-limit": {
    section: "13.4",
    level: "SHOULD",
    text: "A server limits the rate of every operation.",
  },
  "security:rate-limit-error": {
    section: "13.4",
    level: "SHOULD",
    text: "A server answers a caller over its limit with a fitting error.",
  },
  "security:data-protection": {
    section: "13.4",
    level: "MUST",
    text: "A server handles personal and sensitive data as the law that applies to it demands.",
    instead:
      "The law binds the operator, to whom the library gives retention, sealed secrets and logs without credentials.",
  },
  "security:data-deletion": {
    section: "13.4",
    level: "SHOULD",
    text: "A server lets users ask for the deletion of their data.",
    instead:
      "The protocol has no operation for it, and the operator sets after how long tasks are deleted.",
  },
  "security:data-retention": {
    section: "13.4",
    level: "SHOULD",
    text: "A server keeps data only as long as its retention policy says.",
  },
} as const;

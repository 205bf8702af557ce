/** The options of every command that calls an agent. */
export const connectOptions = [
  "agent-card",
  "output",
  "a2a-version",
  "transport",
  "svc-param",
  "bearer",
  "api-key",
  "client-cert",
  "client-key",
  "insecure",
  "timeout",
  "config",
  "verbose",
  "debug",
] as const;

/** The name of one of them. */
export type ConnectOption = (typeof connectOptions)[number];

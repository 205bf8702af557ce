/** An option of the tool, as the table of options describes it. */
export interface OptionRule {
  readonly type: "string" | "boolean";
  /** Other long names for the same option. */
  readonly aliases?: readonly string[];
  readonly short?: string;
  readonly multiple?: true;
  /** What the value is, in help texts; absent for switches. */
  readonly value?: string;
  readonly help: string;
  /** The value where nobody gives one, in words of the command line. */
  readonly default?: string;
  /** Never taken from the environment or from a file. */
  readonly isFlagOnly?: true;
  /** Never taken from a file. */
  readonly isNotInFiles?: true;
  /** Never shown: `config show` says only that there is one. */
  readonly isSecret?: true;
}

/**
 * The options that commands share, by their long names. Each can also come from the environment, as `A2ACLI_` and its
 * name in upper snake case, and from `.env` files, unless its rule says otherwise.
 */
export const optionTable = {
  "agent-card": {
    type: "string",
    short: "a",
    value: "REF",
    help: "the agent: a host, an origin, the URL of a card, or a file with a card",
  },
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    default: "text",
    help: "the form of the output: text or json",
  },
  "a2a-version": {
    type: "string",
    value: "VERSION",
    default: "1.0",
    help: "the version of the protocol to speak: 1.0, or an older one such as 0.3",
  },
  transport: {
    type: "string",
    multiple: true,
    value: "BINDING",
    help: "JSONRPC, HTTP+JSON or GRPC, best first; can be repeated; default the order of the card",
  },
  "svc-param": {
    type: "string",
    multiple: true,
    value: "NAME:VALUE",
    help: "a service parameter: a header, over gRPC metadata; can be repeated",
  },
  bearer: {
    type: "string",
    value: "TOKEN",
    isSecret: true,
    help: "the token to call with; goes where the card's security scheme says",
  },
  "api-key": {
    type: "string",
    value: "KEY",
    isSecret: true,
    help: "the API key to call with; goes where the card's security scheme says",
  },
  "client-cert": {
    type: "string",
    value: "PATH",
    help: "the certificate to call with, as PEM; presented to the agent's host only",
  },
  "client-key": {
    type: "string",
    value: "PATH",
    help: "the key of the certificate, as PEM; default the file of --client-cert",
  },
  insecure: {
    type: "boolean",
    help: "do not check TLS certificates; for development only",
  },
  timeout: {
    type: "string",
    value: "DURATION",
    help: "give up after this long, such as 30s or 5m; default never",
  },
  "poll-interval": {
    type: "string",
    value: "DURATION",
    default: "2s",
    help: "how often to look at a task that is not streamed",
  },
  config: {
    type: "string",
    value: "PATH",
    isNotInFiles: true,
    help: "read options from this .env file, not from the nearest .env",
  },
  verbose: { type: "boolean", help: "show everything that was exchanged with the agent" },
  debug: { type: "boolean", help: "show on stderr what goes over the wire, without secrets" },
  async: {
    type: "boolean",
    aliases: ["return-immediately", "no-wait"],
    help: "return the ids at once and do not wait for the task",
  },
  wait: {
    type: "boolean",
    aliases: ["watch"],
    help: "wait until the task has ended or waits for its caller",
  },
  stream: {
    type: "boolean",
    isFlagOnly: true,
    help: "show events as they come; with -o json one JSON object on each line",
  },
  "context-id": { type: "string", value: "ID", help: "the context that the message belongs to" },
  "task-id": { type: "string", value: "ID", help: "the task that the message continues" },
  metadata: {
    type: "string",
    value: "JSON",
    help: "metadata of the request, as a JSON object",
  },
  text: {
    type: "string",
    aliases: ["text-part"],
    multiple: true,
    isFlagOnly: true,
    value: "TEXT",
    help: "a part with text; can be repeated",
  },
  file: {
    type: "string",
    aliases: ["file-part"],
    multiple: true,
    isFlagOnly: true,
    value: "PATH|URL",
    help: "a part with a file or with a link to one; can be repeated",
  },
  data: {
    type: "string",
    aliases: ["data-part"],
    multiple: true,
    isFlagOnly: true,
    value: "PATH|-",
    help: "a part with JSON from a file, or from standard input; can be repeated",
  },
  "media-type": {
    type: "string",
    multiple: true,
    isFlagOnly: true,
    value: "TYPE",
    help: "the media type of the part before it",
  },
  history: {
    type: "string",
    value: "N",
    isFlagOnly: true,
    help: "show the last N messages of the task",
  },
  validate: { type: "boolean", isFlagOnly: true, help: "check the card against the protocol" },
  extended: {
    type: "boolean",
    isFlagOnly: true,
    help: "authenticate, and show the card for authenticated callers",
  },
  state: {
    type: "string",
    value: "STATE",
    isFlagOnly: true,
    help: "only tasks in this state, such as working or TASK_STATE_WORKING",
  },
  "page-size": { type: "string", value: "N", isFlagOnly: true, help: "how many tasks to list" },
  "page-token": {
    type: "string",
    value: "TOKEN",
    isFlagOnly: true,
    help: "go on after the page that gave this token",
  },
  all: { type: "boolean", isFlagOnly: true, help: "every page, not only the first" },
  directory: {
    type: "string",
    short: "d",
    value: "PATH",
    default: ".",
    isFlagOnly: true,
    help: "where to write the files",
  },
  force: { type: "boolean", isFlagOnly: true, help: "replace files that are there already" },
  url: { type: "string", value: "URL", isFlagOnly: true, help: "the webhook to notify" },
  id: { type: "string", value: "ID", isFlagOnly: true, help: "the id of the configuration" },
  token: {
    type: "string",
    value: "TOKEN",
    isFlagOnly: true,
    isSecret: true,
    help: "sent with each notification, so that the webhook knows the agent",
  },
  "client-id": { type: "string", value: "ID", help: "the OAuth client that signs in" },
  "client-secret": {
    type: "string",
    value: "SECRET",
    isSecret: true,
    help: "the secret of the OAuth client; better in A2ACLI_CLIENT_SECRET than on the command line",
  },
  issuer: {
    type: "string",
    value: "URL",
    help: "the issuer of the tokens; needed with a secret, else as the card says",
  },
  scope: {
    type: "string",
    multiple: true,
    value: "SCOPE",
    help: "a scope to ask for besides those of the card; can be repeated",
  },
  stdin: { type: "boolean", isFlagOnly: true, help: "read the key from standard input" },
  flow: {
    type: "string",
    value: "FLOW",
    isFlagOnly: true,
    help: "device-code or client-credentials; default the second if there is a secret",
  },
  message: {
    type: "string",
    value: "TEXT",
    default: "hello",
    isFlagOnly: true,
    help: "what to send to the agent; best is what keeps it at work for a second",
  },
  "read-only": {
    type: "boolean",
    isFlagOnly: true,
    help: "send no messages, and change nothing",
  },
  origin: {
    type: "string",
    value: "URL",
    isFlagOnly: true,
    help: "the origin of a web page that has to be able to call, such as https://app.example",
  },
  "forward-to": {
    type: "string",
    value: "URL",
    isFlagOnly: true,
    help: "post each notification to this URL, as it came",
  },
  port: {
    type: "string",
    value: "N",
    default: "0",
    isFlagOnly: true,
    help: "the port to listen on; 0 is any that is free",
  },
  host: {
    type: "string",
    value: "ADDRESS",
    default: "127.0.0.1",
    isFlagOnly: true,
    help: "the address to listen on",
  },
  "public-url": {
    type: "string",
    value: "URL",
    isFlagOnly: true,
    help: "the URL at which the agent reaches the webhook; its path has to end at /hook",
  },
  count: {
    type: "string",
    value: "N",
    isFlagOnly: true,
    help: "end after this many notifications; default never",
  },
  "event-log": {
    type: "string",
    value: "PATH",
    default: ".parley/push-events.jsonl",
    isFlagOnly: true,
    help: "the file that keeps notifications",
  },
  resend: {
    type: "string",
    value: "ID",
    isFlagOnly: true,
    help: "post this notification of the file again, and end",
  },
  requests: {
    type: "string",
    value: "N",
    default: "200",
    isFlagOnly: true,
    help: "how many messages to send, at most 100000",
  },
  concurrency: {
    type: "string",
    value: "N",
    default: "10",
    isFlagOnly: true,
    help: "how many to send at a time, at most 256",
  },
  duration: {
    type: "string",
    value: "DURATION",
    default: "30s",
    isFlagOnly: true,
    help: "begin no more messages after this long",
  },
  "slow-message": {
    type: "string",
    value: "TEXT",
    isFlagOnly: true,
    help: "what keeps the agent at work for a second or more; without it some checks are skipped",
  },
  junit: {
    type: "string",
    value: "PATH",
    isFlagOnly: true,
    help: "also write the results to this file, as JUnit's XML",
  },
  "call-timeout": {
    type: "string",
    value: "DURATION",
    default: "10s",
    isFlagOnly: true,
    help: "how long one call to the agent may take",
  },
} as const;

export type OptionName = keyof typeof optionTable;

/** The rule of an option, with all the members that a rule may have. */
export function ruleOf(name: OptionName): OptionRule {
  return optionTable[name];
}

/** The name of an option in the environment; `undefined` for one that comes from the command line only. */
export function environmentName(name: OptionName): string | undefined {
  if (ruleOf(name).isFlagOnly === true) return undefined;
  return `A2ACLI_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** The values of options: a list for one that can be repeated, `undefined` for a text that nobody has given. */
export type OptionValues<N extends OptionName> = {
  readonly [P in N]: (typeof optionTable)[P] extends { readonly type: "boolean" }
    ? boolean
    : (typeof optionTable)[P] extends { readonly multiple: true }
      ? readonly string[]
      : (typeof optionTable)[P] extends { readonly default: string }
        ? string
        : string | undefined;
};

import process from "node:process";
import { systemClock } from "../../async/internal.js";
import { callback, checkOptions, fields, rule, secret, text } from "../../options/internal.js";
import type { Rules } from "../../options/internal.js";
import type { Bus } from "../bus.js";
import { Notices } from "../shared/notices.js";
import { createSharedBus } from "../shared/shared-bus.js";
import { loadNats } from "./load-nats.js";
import { NatsCarrier } from "./nats-carrier.js";
import { parseNatsServers } from "./nats-servers.js";

/** Where NATS is, and which nodes belong together. */
export interface NatsBusOptions {
  /**
   * `nats://host:4222`, or `tls://` for an encrypted connection; `nats://user:password@host` and `nats://token@host` carry
   * credentials. Several servers have commas between them. Default: the environment variable `NATS_URL`.
   */
  readonly url?: string;
  /**
   * The name of the cluster. Nodes of different clusters may share a server. Default: `?cluster=` of the URL, else
   * `default`.
   */
  readonly cluster?: string;
  /** Files in PEM: the authority of the server's certificate, and this node's own certificate and key. */
  readonly tls?: NatsTls;
  /**
   * Is told when wake-ups do not arrive, and when they do again: once each, in plain words. Default: prints it.
   */
  readonly report?: (notice: Error) => void;
}

/** The files of an encrypted connection. */
export interface NatsTls {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

const tlsRules: Rules<NatsTls> = {
  caFile: text("the path of a file in PEM"),
  certFile: text("the path of a file in PEM"),
  keyFile: text("the path of a file in PEM"),
};
const clusterName = /^[\w-]{1,64}$/u;
const clusterExpected = "1 to 64 letters, digits, hyphens and underscores";

const rules: Rules<NatsBusOptions> = {
  url: secret((value) =>
    typeof value === "string" && value !== "" ? undefined : "a URL such as nats://localhost:4222",
  ),
  cluster: rule((value) =>
    typeof value === "string" && clusterName.test(value) ? undefined : clusterExpected,
  ),
  tls: fields(tlsRules),
  report: callback,
};
const optionsRule = fields(rules, [], 'an object such as { url: "nats://localhost:4222" }');

/**
 * Connects to NATS, which wakes nodes that follow a task when its log has grown. A server that cannot be reached delays
 * wake-ups and nothing else: the bus connects when it can, and nodes poll until then. Needs the package
 * `@nats-io/transport-node`. Rejects for wrong options and refused credentials.
 */
export async function connectNatsBus(options: NatsBusOptions = {}): Promise<Bus> {
  const caller = "connectNatsBus()";
  checkOptions(caller, options, optionsRule);
  const { url = process.env["NATS_URL"] ?? "", tls, report } = options;
  if (url === "") {
    throw new Error(`${caller}: url is missing; give it, or set NATS_URL`);
  }
  const {
    servers,
    isEncrypted,
    cluster: named = "default",
    ...credentials
  } = readServers(caller, url);
  if (!clusterName.test(named)) {
    throw new Error(`${caller}: cluster of the url is not a name; expected ${clusterExpected}`);
  }
  const { cluster = named } = options;
  const description = `nats ${servers.join(",")}`;
  const nats = await loadNats();
  let carrier: NatsCarrier | undefined;
  const bus = createSharedBus({
    description,
    connect: (ears) =>
      (carrier = new NatsCarrier({
        ears,
        prefix: `parley.${cluster}`,
        clock: systemClock,
        notices: new Notices(description, report),
        isHopeless: (error) => error instanceof nats.errors.AuthorizationError,
        connect: (more) =>
          nats.connect({
            servers,
            ...credentials,
            ...((isEncrypted || tls !== undefined) && { tls: { ...tls } }),
            name: "parley",
            ...more,
          }),
      })),
  });
  try {
    await carrier?.start();
  } catch (error) {
    await bus.close();
    const message = `${description} refuses this node; look at the user, password or token of the URL`;
    throw new Error(message, { cause: error });
  }
  return bus;
}

function readServers(caller: string, url: string): ReturnType<typeof parseNatsServers> {
  try {
    return parseNatsServers(url);
  } catch (error) {
    throw new Error(`${caller}: ${(error as Error).message}`);
  }
}

/** How to reach NATS, as URLs say it. */
export interface NatsServers {
  /** Host and port of each server. */
  readonly servers: string[];
  readonly isEncrypted: boolean;
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  /** Of which cluster the nodes are, as `?cluster=` says it. */
  readonly cluster?: string;
}

const expected =
  "nats://host:4222 or tls://user:password@host:4222, several with commas between them";

/**
 * Reads the URLs of servers, with commas between them. A user without a password is a token. Credentials of one URL are
 * for all, and so is its cluster. Throws an error that shows no credentials.
 */
export function parseNatsServers(text: string): NatsServers {
  const urls = text.split(",").map((part) => parse(part.trim()));
  const [first] = urls.filter(({ username }) => username !== "");
  const user = decodeURIComponent(first?.username ?? "");
  const pass = decodeURIComponent(first?.password ?? "");
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === "" ? "4222" : port}`),
    isEncrypted: urls.some(({ protocol }) => protocol === "tls:"),
    ...(user !== "" && (pass === "" ? { token: user } : { user, pass })),
    ...clusterOf(urls),
  };
}

function clusterOf(urls: readonly URL[]): Pick<NatsServers, "cluster"> {
  const parameters = urls.flatMap(({ searchParams }) => [...searchParams]);
  for (const [name] of parameters) {
    if (name !== "cluster") {
      throw new Error(`url has the parameter ${name}; expected none but cluster`);
    }
  }
  const [cluster, ...others] = new Set(parameters.map(([, value]) => value));
  if (others.length > 0)
    throw new Error("url names several clusters; expected one for all servers");
  return cluster === undefined ? {} : { cluster };
}

function parse(part: string): URL {
  const given = /^\w+:\/\//u.test(part) ? part : `nats://${part}`;
  const scheme = given.slice(0, given.indexOf(":"));
  if (scheme !== "nats" && scheme !== "tls") {
    throw new Error(`url begins with ${scheme}://; expected ${expected}`);
  }
  try {
    const url = new URL(given);
    if (url.hostname !== "") return url;
  } catch {
    // Falls through: the cause would show the password.
  }
  throw new Error(`url is no address of a NATS server; expected ${expected}`);
}

/**
 * Loaded before the code of a page, in its process. Whatever port the code listens on, a free one is taken, and code
 * that connects to the port it asked for gets there. Hosts such as `agents.example.com` are servers of the test; no
 * other host is reached. The process that started this one is told of ports and of files that ran to their end.
 */
import { promises as dns } from "node:dns";
import { Server, Socket } from "node:net";

/** The local port behind `host:port`. */
const ports = new Map();

const isThisMachine = (host) => ["127.0.0.1", "localhost", "::1"].includes(host);

for (const [place, port] of Object.entries(JSON.parse(process.env.PARLEY_DOCS_PEERS ?? "{}"))) {
  ports.set(place, port);
  // gRPC resolves a name before it connects to an address; whatever has the port then is meant.
  ports.set(place.replace(/^.*:/, "127.0.0.1:"), port);
}
dns.lookup = async () => [{ address: "127.0.0.1", family: 4 }];

const listen = Reflect.get(Server.prototype, "listen");
Server.prototype.listen = function (place, ...rest) {
  const asked = place.port ?? place;
  this.once("listening", () => {
    const { port } = this.address();
    ports.set(`127.0.0.1:${asked}`, port);
    process.send?.({ asked, port });
  });
  return listen.call(this, typeof place === "object" ? { ...place, port: 0 } : 0, ...rest);
};

const connect = Reflect.get(Socket.prototype, "connect");
Socket.prototype.connect = function (...args) {
  // node itself passes what it has normalized: a list that begins with the options.
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  const { host = "127.0.0.1", port } = options;
  const local = ports.get(`${isThisMachine(host) ? "127.0.0.1" : host}:${port}`);
  if (local !== undefined) Object.assign(options, { host: "127.0.0.1", port: local });
  else if (!isThisMachine(host)) throw new Error(`no server of the test is ${host}:${port}`);
  return connect.apply(this, args);
};

globalThis.ran = (file) => process.send?.({ ran: file });

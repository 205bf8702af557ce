import type { Connection } from "../../contract/index.js";
import type { JsonBody } from "../http/read-json.js";
import { notThere, Refusal } from "../http/refusal.js";
import { AgentConnection } from "./agent-connection.js";
import type { ConnectionContext } from "./agent-connection.js";
import { parseConnectionRequest, resolveSecrets } from "./parse-request.js";

const maxConnections = 32;

/** The agents that the inspector is connected to. */
export class Connections {
  readonly #context: ConnectionContext;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #open = new Map<string, AgentConnection>();
  #opening = 0;
  #last = 0;

  constructor(
    context: ConnectionContext,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#context = context;
    this.#environment = environment;
  }

  /** All that are open, the latest last. */
  all(): readonly AgentConnection[] {
    return [...this.#open.values()];
  }

  async open(body: JsonBody): Promise<Connection> {
    const wanted = parseConnectionRequest(body);
    if (!this.#context.isOwn(wanted.url)) {
      throw new Refusal(403, "PERMISSION_DENIED", "this inspector calls its own agents only", {
        hint: `For other agents: parley inspect ${wanted.url}`,
      });
    }
    const secrets = resolveSecrets(wanted.secrets, this.#environment);
    if (this.#open.size + this.#opening >= maxConnections) {
      throw new Refusal(429, "RESOURCE_EXHAUSTED", `there are ${maxConnections} connections`, {
        hint: "Close one of them.",
      });
    }
    const connection = new AgentConnection(`c${(this.#last += 1)}`, wanted, secrets, this.#context);
    this.#opening += 1;
    try {
      await connection.open();
    } finally {
      this.#opening -= 1;
    }
    this.#open.set(connection.id, connection);
    return connection.view;
  }

  get(id: string): AgentConnection {
    const found = this.#open.get(id);
    if (found === undefined) throw notThere(`connection ${id}`);
    return found;
  }

  close(id: string): void {
    this.get(id).close();
    this.#open.delete(id);
  }

  closeAll(): void {
    for (const { id } of this.all()) this.close(id);
  }
}

import { failureLine, openConnection } from "../../postgres/internal.js";
import type { Connection, Target } from "../../postgres/internal.js";
import type { Channel, ChannelListener } from "../broadcast/channel.js";

export interface PostgresChannelOptions {
  /** The channel's name: up to 63 letters, digits and underscores. */
  readonly name: string;
  /** Where texts are sent. A pooler may be in between. */
  readonly sendTo: Target;
  /** Where they are heard. */
  readonly hearFrom: Target;
}

/**
 * The server gives up a NOTIFY that takes longer. It waits for a lock that all NOTIFY of the server share, so this is
 * for a server in distress.
 */
const statementTimeoutMs = 5000;

/**
 * Opens two connections of their own. NOTIFY takes a lock for the whole server until its commit is done: in the
 * transaction of an append, which waits for the disk, it would make all nodes wait for each other. A transaction that does
 * nothing but NOTIFY writes no rows, so its commit waits for no disk and no standby.
 */
export async function openPostgresChannel(
  { name, sendTo, hearFrom }: PostgresChannelOptions,
  listener: ChannelListener,
): Promise<Channel> {
  const opened: Connection[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((connection) => connection.close()));
  };
  const open = async (target: Target): Promise<Connection> => {
    const connection = await openConnection(
      target,
      { statementTimeoutMs, lockTimeoutMs: 0, settings: {}, preparing: { isOn: false } },
      statementTimeoutMs,
    ).catch((cause: unknown) => {
      throw new Error(failureLine(target, cause), { cause });
    });
    opened.push(connection);
    return connection;
  };
  try {
    const ear = await open(hearFrom);
    ear.onNotification((channel, text) => {
      if (channel === name) listener.hear(text);
    });
    await ear.query({ text: `LISTEN "${name}"` });
    const mouth = await open(sendTo);
    for (const connection of [ear, mouth]) {
      connection.onEnd(() => listener.end(new Error("the server closed the connection")));
    }
    return {
      async send(text) {
        await mouth.query({ text: "SELECT pg_notify($1, $2)", values: [name, text] });
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Texts that every process on the channel hears, the sender included. */
export interface Channel {
  /** Sends a text after those before it. Rejects when it may not have been sent. */
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface ChannelListener {
  hear(text: string): void;
  /** Texts may have been lost. */
  miss(): void;
  /** The channel has ended by itself. */
  end(reason: unknown): void;
}

/** Opens the channel. Rejects when it cannot be opened. */
export type OpenChannel = (listener: ChannelListener) => Promise<Channel>;

import type { JsonObject } from "../protocol/internal.js";
import type { BindingOptions } from "../binding/internal.js";
import type { CardForm } from "../wire/internal.js";

export interface CorsOptions {
  /** Web origins whose pages may call, such as `https://page.example`; `*` for all. */
  readonly origins: "*" | readonly string[];
  /** Lets pages send cookies and other credentials of their user. Never with `*`. */
  readonly credentials?: boolean;
}

/** The agents that a server offers over HTTP, and how it serves them. */
export interface HttpOptions extends BindingOptions {
  /** How long a stream may be silent before a comment is sent to keep proxies from closing it; 15 s when absent. */
  readonly heartbeatMs?: number;
  /**
   * How a streaming call of 1.0 over JSON-RPC is refused to a caller that accepts `text/event-stream` only; `"json"` when
   * absent. That is a plain answer, which most clients read. `"events"` is the only event of a stream: without it the
   * official Go client takes the refusal for a stream without events.
   */
  readonly streamErrors?: "json" | "events";
  /** The URL under which callers reach this server, such as `https://agents.example.com`. */
  readonly publicUrl?: string;
  /** Whether the server answers calls that are addressed to this host; to any when absent. Cards always are. */
  readonly allowsHost?: (host: string) => boolean;
  /**
   * The public address of gRPC, which cards then list. `grpc.example.com:443` is listed so in cards of 1.0, and as the
   * absolute URL that 0.3 asks for in earlier ones; a URL such as `https://grpc.example.com` is listed as it is in all of them.
   */
  readonly grpcAddress?: string;
  readonly cors?: CorsOptions;
  /**
   * How many bytes of bodies the server holds, of all requests that have not arrived completely; 128 MB when absent. Beyond
   * that it gives up the request that has waited longest for its next bytes, and answers it with 503.
   */
  readonly maxBodyBytesInFlight?: number;
  /** How long callers may cache a card; 300 s when absent. */
  readonly cardMaxAgeSeconds?: number;
  /** Adds signatures to a card in the form it is served in. */
  readonly signCard?: (card: JsonObject, form: CardForm) => Promise<JsonObject>;
  /**
   * The public keys that verify push notifications, as a JSON Web Key Set. It is served at `/.well-known/jwks.json`, at
   * the root and below each agent; the cards of agents that send notifications say where.
   */
  readonly publicKeys?: () => Promise<JsonObject>;
}

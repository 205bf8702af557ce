import type { AgentCard, ErrorCode, ErrorDetails, ProtocolVersion } from "@parley/a2a";

/** A binding, as agent cards name it. */
export type Binding = "JSONRPC" | "HTTP+JSON" | "GRPC";

/** A secret for a security scheme of a card. The backend keeps it; the page never gets it back. */
export type SecretInput =
  | { readonly value: string }
  /** The name of an environment variable of the backend. */
  | { readonly env: string };

/** The body of `POST /api/connections`. */
export interface ConnectionRequest {
  readonly url: string;
  /** Absent: the client chooses. */
  readonly version?: ProtocolVersion;
  readonly binding?: Binding;
  /** Headers of every request. The values of secret ones never leave the backend again. */
  readonly headers?: Readonly<Record<string, string>>;
  /** By the name of the scheme in the card. */
  readonly secrets?: Readonly<Record<string, SecretInput>>;
}

export type Severity = "error" | "warning" | "note";

/** Something about a card that callers will stumble over. */
export interface LintItem {
  readonly rule: string;
  readonly severity: Severity;
  /** Where in the card, as a JSON path: `skills[0].description`. */
  readonly path: string;
  readonly problem: string;
  readonly fix: string;
}

/** What the signature of a card says. */
export interface SignatureCheck {
  readonly status: "verified" | "unverifiable" | "invalid" | "absent";
  /** Each step of the check, in order. */
  readonly lines: readonly CheckLine[];
}

/** One step of a check. */
export interface CheckLine {
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  readonly detail: string;
}

/** An interface of a card: why it was chosen or not, and what it really answered. */
export interface InterfaceReport {
  readonly url: string;
  readonly binding: string;
  readonly version?: string;
  readonly isChosen: boolean;
  readonly reason: string;
  /** Absent while nobody has tried it. */
  readonly answered?: {
    readonly isWorking: boolean;
    readonly ms: number;
    readonly detail: string;
  };
}

/** An agent that the inspector is connected to. */
export interface Connection {
  readonly id: string;
  readonly url: string;
  readonly card: AgentCard;
  /** The card as it was served, in the version that it is written in. */
  readonly cardText: string;
  readonly cardUrl: string;
  readonly lint: readonly LintItem[];
  readonly signature: SignatureCheck;
  readonly interfaces: readonly InterfaceReport[];
  readonly version: ProtocolVersion;
  readonly binding: Binding;
  /** The schemes for which the backend has a secret. */
  readonly secrets: readonly string[];
}

/** Every error that the page gets. */
export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails;
  /** What to do next, in words. */
  readonly hint?: string;
}

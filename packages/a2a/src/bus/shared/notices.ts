import { consoleLog } from "../../protocol/telemetry/internal.js";

/** Tells operators when a bus has a problem and when it is solved: once each, however often it is met. */
export class Notices {
  readonly #report: (notice: Error) => void;
  readonly #description: string;
  #hasProblem = false;

  constructor(
    description: string,
    report: (notice: Error) => void = ({ message: msg }) =>
      consoleLog("warn", "bus.notice", { msg }),
  ) {
    this.#description = description;
    this.#report = report;
  }

  problem(what: string, cause?: unknown): void {
    if (this.#hasProblem) return;
    this.#hasProblem = true;
    const message = `${this.#description}: ${what}. Until that is mended, this node looks for changes every second.`;
    this.#report(new Error(message, { cause }));
  }

  solved(): void {
    if (!this.#hasProblem) return;
    this.#hasProblem = false;
    this.#report(new Error(`${this.#description}: wake-ups arrive now.`));
  }
}

/** The message of whatever was thrown, on one line. */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each, and with no message for all.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replaceAll(/\s*\n\s*/gu, " ");
}

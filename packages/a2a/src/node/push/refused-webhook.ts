/** Thrown for a webhook that is not allowed. The reason completes "the webhook is refused: …". */
export class RefusedWebhook extends Error {
  /** Whether the URL itself is the reason, so that retrying cannot help. */
  readonly isLasting: boolean;

  constructor(reason: string, { isLasting = true }: { readonly isLasting?: boolean } = {}) {
    super(reason);
    this.name = "RefusedWebhook";
    this.isLasting = isLasting;
  }
}

/** A webhook that is not called. The reason completes the sentence "the webhook is refused: …". */
export class RefusedWebhook extends Error {
  /** The URL itself is at fault, so that it will be refused for ever. */
  readonly isLasting: boolean;

  constructor(reason: string, { isLasting = true }: { readonly isLasting?: boolean } = {}) {
    super(reason);
    this.name = "RefusedWebhook";
    this.isLasting = isLasting;
  }
}

/**
 * Why a store cannot do its work at present, for the operator: it names the place. The store has reported it, so
 * whoever gets it as the cause of an error does not report it again.
 */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
}

/** Whether an error comes from a fault that its store has reported. */
export function isStoreFault(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one.name === "StoreFault") return true;
  }
  return false;
}

/** Thrown when the server does what it must not. */
export class Misbehaviour extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Misbehaviour";
  }
}

export function demand(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Misbehaviour(message());
}

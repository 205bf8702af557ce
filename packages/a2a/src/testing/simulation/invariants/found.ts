/** Something that must not be. */
export interface Found {
  /** The name of the invariant. */
  readonly invariant: string;
  readonly message: string;
}

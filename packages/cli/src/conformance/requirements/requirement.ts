/** How binding a requirement is; each level also covers its negation and its synonyms in RFC 2119. */
export type Level = "MUST" | "SHOULD" | "MAY";

/** One demand of the specification: where it stands, how binding it is, and who does what. */
export interface Requirement {
  readonly section: string;
  readonly level: Level;
  readonly text: string;
  /**
   * What the library does where it does not do that itself: where it decided otherwise, or where the demand is on those
   * who use it. The tests that cite the requirement show this.
   */
  readonly instead?: string;
}

/** The largest input that is accepted from callers and peers. */
export interface Limits {
  /** Bytes of one request body. */
  readonly maxBodyBytes: number;
  /** Parts of one message or artifact. */
  readonly maxParts: number;
  /** Levels of nesting, counted from the request's root. */
  readonly maxJsonDepth: number;
  /** UTF-16 units of an id of a task, context, message, artifact or configuration. */
  readonly maxIdLength: number;
  /**
   * Objects, arrays, and members and elements of them, in one request body; 50,000 when absent. They cost a server far
   * more time than bytes do.
   */
  readonly maxElements?: number;
}

/** The limits that apply unless a server sets others. */
export const defaultLimits: Required<Limits> = {
  maxBodyBytes: 10 * 1024 * 1024,
  maxParts: 1000,
  maxJsonDepth: 100,
  maxIdLength: 256,
  maxElements: 50_000,
};

/** UTF-16 units of what a caller sends as a URL, a name, a token, a credential or a header. */
export const maxFieldLength = 8192;

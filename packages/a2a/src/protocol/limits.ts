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
}

/** The limits that apply unless a server sets others. */
export const defaultLimits: Limits = {
  maxBodyBytes: 10 * 1024 * 1024,
  maxParts: 1000,
  maxJsonDepth: 100,
  maxIdLength: 256,
};

/** Where `/metrics` is served. */
export interface MetricsOptions {
  /** 9464 when absent; 0 for any that is free. */
  readonly port?: number;
  /**
   * The address to listen on; the loopback address when absent. Whoever reaches it reads all values: they name agents, and
   * neither callers nor tasks.
   */
  readonly host?: string;
  /** How many series there may be, counted in lines; 2,000 when absent. Further ones are counted together. */
  readonly maxSeries?: number;
}

/** What one run's proxy spends at most; every wait and every pile has a bound. */
export interface EgressLimits {
  /** Open connections from the inside; more push out those that are doing nothing. */
  readonly connectionsMax: number;
  /** How long a connection cannot be pushed out at any stage: what an honest client needs for its next word. */
  readonly graceMs: number;
  /** Requests that are being answered at one time; more wait. */
  readonly exchangesMax: number;
  readonly requestsPerConnectionMax: number;
  readonly headBytesMax: number;
  /** From the connection to its first whole head, and for the TLS handshake: what a slow sender gets. */
  readonly headMs: number;
  /** Between two requests of a connection, the next head included. */
  readonly idleMs: number;
  /** Without a byte moving, once a request was admitted. */
  readonly stallMs: number;
  /** For one request, all in all. */
  readonly requestMs: number;
  /** Lines of the log for what passed, and as many for refusals; when the former are used up nothing more is served, because nothing goes out unlogged. */
  readonly logLinesMax: number;
}

export const DEFAULT_LIMITS: EgressLimits = {
  connectionsMax: 1_024,
  graceMs: 5,
  exchangesMax: 48,
  requestsPerConnectionMax: 1_000,
  headBytesMax: 16_384,
  headMs: 10_000,
  idleMs: 30_000,
  stallMs: 60_000,
  requestMs: 600_000,
  logLinesMax: 20_000,
};

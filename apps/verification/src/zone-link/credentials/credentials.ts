/** Authenticates requests to execution. Each file implements one method. */
export interface Credentials {
  /** Returns the authentication headers; a promise only if a token must be fetched. Rejects if none is available. */
  headers(request: OutgoingRequest): ProofHeaders | Promise<ProofHeaders>;
  /**
   * Called after a 401 to a request with these headers; discards outdated proof. Returns true if the next proof can differ, so that the
   * request is worth one retry.
   */
  invalidate(refused: ProofHeaders): boolean;
}

export interface OutgoingRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  readonly body: Uint8Array;
}

export type ProofHeaders = Readonly<Record<string, string>>;

/** Returns the header of a bearer token. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
export function bearerHeaders(token: string): ProofHeaders {
  return { authorization: `Bearer ${token}` };
}

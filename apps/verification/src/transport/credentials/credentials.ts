/** Proves to the execution zone who sends a request. One kind of proof a file. */
export interface Credentials {
  /** Headers that prove it. A promise only where a token has to be waited for; it rejects when none can be had. */
  headers(request: OutgoingRequest): ProofHeaders | Promise<ProofHeaders>;
  /**
   * Told of a 401 to a request that had these headers; lets go of what may be out of date. Says whether the next proof may be
   * another one, so that the refused request is worth sending once more.
   */
  invalidate(refused: ProofHeaders): boolean;
}

export interface OutgoingRequest {
  readonly method: string;
  /** Path and query, as they will stand in the request line. */
  readonly target: string;
  readonly body: Uint8Array;
}

export type ProofHeaders = Readonly<Record<string, string>>;

/** The header of a bearer token. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
export function bearerHeaders(token: string): ProofHeaders {
  return { authorization: `Bearer ${token}` };
}

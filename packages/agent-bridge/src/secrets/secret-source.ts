/**
 * Reads a secret by its reference on each call, so that a replaced one takes effect. Throws an `AgentFailure`
 * `secret_unavailable` that names the reference.
 */
export interface SecretSource {
  readonly read: (reference: string) => Promise<string>;
}

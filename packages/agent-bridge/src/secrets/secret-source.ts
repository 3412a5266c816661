/** Finds a secret by its reference, each time anew, so that one that was replaced is used. Throws an `AgentFailure` `secret_unavailable` that names the reference. */
export interface SecretSource {
  readonly read: (reference: string) => Promise<string>;
}

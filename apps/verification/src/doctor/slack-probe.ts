/** Slack's answer to one call of its Web API, with the headers that its own client keeps to itself. */
export interface SlackProbeAnswer {
  readonly ok: boolean;
  /** Slack's error code when it said no; `http_502`, `not_json`, `timeout` and the like when it said nothing that counts. */
  readonly error?: string;
  /** The members of the answer. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The scopes of the token that was sent, from the header `x-oauth-scopes`. */
  readonly scopes?: readonly string[];
}

/** Calls one method of Slack's Web API, once. Never rejects. https://docs.slack.dev/apis/web-api/ */
export interface SlackProbe {
  readonly call: (
    method: string,
    options: { readonly token?: string; readonly args?: Readonly<Record<string, string>> },
  ) => Promise<SlackProbeAnswer>;
}

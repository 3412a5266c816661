/** Slack's response to one Web API call, with the headers that Slack's own client hides. */
export interface SlackProbeAnswer {
  readonly ok: boolean;
  /** Slack's error code; `http_502`, `not_json`, `timeout` and the like when the response is not from Slack's API. */
  readonly error?: string;
  /** The members of the response. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The token's scopes, from the header `x-oauth-scopes`. */
  readonly scopes?: readonly string[];
}

/** Calls one method of Slack's Web API, without retries. Never rejects. https://docs.slack.dev/apis/web-api/ */
export interface SlackProbe {
  readonly call: (
    method: string,
    options: { readonly token?: string; readonly args?: Readonly<Record<string, string>> },
  ) => Promise<SlackProbeAnswer>;
}

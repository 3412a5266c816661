import { z } from "zod";

/** Slack's response to one Web API call, with the headers that Slack's own client hides. */
export interface SlackAnswer {
  readonly ok: boolean;
  /** Slack's error code; `http_502`, `not_json`, `timeout` and the like when the response is not from Slack's API. */
  readonly error?: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The token's scopes, from the header `x-oauth-scopes`. */
  readonly scopes?: readonly string[];
}

const error = z.string().regex(/^[\w.:-]{1,80}$/);
const answer = z.looseObject({ ok: z.boolean(), error: error.optional() });

/**
 * Calls one method of Slack's Web API: the token is a header and the arguments are a form. No redirects, no retries; ten seconds. Never
 * rejects. https://docs.slack.dev/apis/web-api/
 */
export async function callSlack(
  apiUrl: string,
  method: string,
  { token, args = {} }: { readonly token?: string; readonly args?: Readonly<Record<string, string>> },
): Promise<SlackAnswer> {
  try {
    const response = await fetch(apiUrl.replace(/\/?$/, "/") + method, {
      method: "POST",
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      body: new URLSearchParams(args),
      redirect: "manual",
      signal: AbortSignal.timeout(10_000),
    });
    const failure = response.status === 200 ? "not_json" : `http_${response.status}`;
    const body = answer.safeParse(await response.json().catch(() => undefined)).data;
    const scopes = response.headers.get("x-oauth-scopes")?.split(",");
    return {
      ok: body?.ok === true,
      error: body?.ok === true ? undefined : (body?.error ?? failure),
      body: body ?? {},
      scopes: scopes?.map((scope) => scope.trim()).filter((scope) => scope !== ""),
    };
  } catch (failure) {
    const { name, cause } = failure as Error & { cause?: { code?: string } };
    return {
      ok: false,
      error: name === "TimeoutError" ? "timeout" : (cause?.code?.toLowerCase() ?? "failed"),
      body: {},
    };
  }
}

import { z } from "zod";

const answer = z.looseObject({
  ok: z.boolean(),
  error: z
    .string()
    .regex(/^[\w.:-]{1,80}$/)
    .optional(),
});

/** Makes a probe over plain HTTP: the token is a header and the arguments are a form. No redirects, no retries. */
export function createFetchSlackProbe({ apiUrl, timeoutMs }: { apiUrl: string; timeoutMs: number }): SlackProbe {
  return {
    call: async (method, { token, args = {} }) => {
      try {
        const response = await fetch(apiUrl.replace(/\/?$/, "/") + method, {
          method: "POST",
          headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
          body: new URLSearchParams(args),
          redirect: "manual",
          signal: AbortSignal.timeout(timeoutMs),
        });
        const text = await response.text();
        return { ...read(response, text), ...scopesOf(response) };
      } catch (error) {
        return { ok: false, error: failureOf(error), body: {} };
      }
    },
  };
}

function read({ status }: Response, text: string): Pick<SlackProbeAnswer, "ok" | "error" | "body"> {
  const parsed = answer.safeParse(jsonOf(text));
  if (!parsed.success) return { ok: false, error: status === 200 ? "not_json" : `http_${status}`, body: {} };
  const { ok, error = `http_${status}` } = parsed.data;
  return { ok, ...(!ok && { error }), body: parsed.data };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function scopesOf({ headers }: Response): Pick<SlackProbeAnswer, "scopes"> {
  const scopes = headers.get("x-oauth-scopes");
  if (scopes === null) return {};
  const names = scopes.split(",").map((scope) => scope.trim());
  return { scopes: names.filter((scope) => scope !== "") };
}

function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if (error.name === "TimeoutError") return "timeout";
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
  return typeof code === "string" ? code.toLowerCase() : "failed";
}

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

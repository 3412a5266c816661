import { z } from "zod";
import type { SlackProbe, SlackProbeAnswer } from "./slack-probe.ts";

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

import { AgentFailure } from "../../agent-failure.ts";
import type { AgentReply } from "../agent-client.ts";

export interface ReadToken {
  readonly token: string;
  readonly lifeMs: number;
}

/** The lifetime of a token when its endpoint doesn't state one, and the longest; seconds. */
const usualLife = 300;
const longestLife = 86_400;

/** The characters of an `access_token`. https://www.rfc-editor.org/rfc/rfc6749#appendix-A.12 */
const tokenForm = /^[\x21-\x7e]{1,65536}$/;
const errorForm = /^[a-z_]{1,60}$/;

/**
 * Parses the response of a token endpoint. Throws an `AgentFailure` with the endpoint's error code and nothing else of
 * its response. https://www.rfc-editor.org/rfc/rfc6749#section-5
 */
export function readToken({ status, body }: AgentReply): ReadToken {
  const answer = membersOf(body);
  if (status !== 200) throw refusal(status, answer["error"]);
  const { access_token: token, token_type: type = "bearer", expires_in: life } = answer;
  if (typeof token !== "string" || !tokenForm.test(token) || !/^bearer$/i.test(String(type)))
    throw new AgentFailure("unauthorized", "The agent's token endpoint answered without a bearer token.");
  const seconds = Number(life ?? Number.NaN);
  return { token, lifeMs: 1_000 * (seconds > 0 ? Math.min(seconds, longestLife) : usualLife) };
}

function refusal(status: number, error: unknown): AgentFailure {
  const why = typeof error === "string" && errorForm.test(error) ? `: ${error}` : "";
  const message = `The agent's token endpoint returned no token (HTTP ${status}${why}).`;
  const kind = status === 429 ? "rate_limited" : status >= 500 || status === 408 ? "http_unavailable" : "unauthorized";
  return new AgentFailure(kind, message, { code: status });
}

function membersOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

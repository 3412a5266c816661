import type { RawArguments } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";

/** A call, as received over HTTP. */
export interface WebApiRequest {
  httpMethod: string;
  contentType: string;
  authorization: string;
  query: URLSearchParams;
  body: Buffer;
}

/** The arguments of a call, its token, and Slack's warnings. */
export interface ParsedRequest {
  args: RawArguments;
  /** From the `Authorization` header or a form; never from a JSON body or the query, as in Slack. */
  token: string | undefined;
  warnings: string[];
}

/**
 * Reads a call's arguments: the query of a GET, a form or a JSON object of a POST.
 * Throws `invalid_json`, `json_not_object`, `invalid_form_data`, `invalid_post_type`, `missing_post_type`.
 * See https://docs.slack.dev/apis/web-api/#basics
 */
export async function requestArguments(request: WebApiRequest): Promise<ParsedRequest> {
  const bearer = /^Bearer (.+)$/.exec(request.authorization)?.[1]?.trim();
  const [type = ""] = request.contentType.toLowerCase().split(";");
  if (request.httpMethod === "GET" || request.body.length === 0) {
    return { args: Object.fromEntries(request.query), token: bearer, warnings: [] };
  }
  if (type === "application/json") {
    const warnings = /charset=/i.test(request.contentType) ? [] : ["missing_charset"];
    return { args: jsonObject(request.body), token: bearer, warnings };
  }
  if (type === "application/x-www-form-urlencoded" || type === "multipart/form-data") {
    const { token, ...args } = await formArguments(request);
    return { args: { ...Object.fromEntries(request.query), ...args }, token: bearer ?? token, warnings: [] };
  }
  throw new SlackError(type === "" ? "missing_post_type" : "invalid_post_type");
}

function jsonObject(body: Buffer): RawArguments {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw new SlackError("invalid_json");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new SlackError("json_not_object");
  return { ...value };
}

async function formArguments({ contentType, body }: WebApiRequest): Promise<Record<string, string>> {
  try {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
    return Object.fromEntries([...form].filter((field): field is [string, string] => typeof field[1] === "string"));
  } catch {
    throw new SlackError("invalid_form_data");
  }
}

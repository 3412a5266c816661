import { z } from "zod";
import { parseJson } from "../traffic/traffic-log.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";

/** Raw arguments: strings from a form or a query, any JSON value from a JSON body. */
export type RawArguments = Record<string, unknown>;

/** A boolean; forms send `true`, `false`, `1` or `0`. */
export const flag: z.ZodType<boolean> = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0"])])
  .transform((value) => value === true || value === "true" || value === "1");

/** A whole number; forms send text. */
export const whole: z.ZodType<number> = z.coerce.number().int();

/** A structured argument: JSON text in a form, the value itself in a JSON body. Invalid JSON stays text. */
export function structured<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((value) => (typeof value === "string" ? parseJson(value) : value), schema);
}

/** Validates arguments. Empty strings and nulls count as absent. Throws `invalid_arguments` with every problem. */
export function checkArguments<T>(schema: z.ZodType<T>, raw: RawArguments): T {
  const present = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== "" && value !== null));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  throw errorWithMessages(
    "invalid_arguments",
    result.error.issues.map(({ path, message }) =>
      path.length === 1 && !(String(path[0]) in present)
        ? `missing required field: ${String(path[0])}`
        : `${message} [json-pointer:/${path.join("/")}]`,
    ),
  );
}

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

import { UsageError } from "../arguments/usage-error.ts";
import type { ZoneAddress } from "./send.ts";

/** The zone's default address. */
const defaultUrl = "http://127.0.0.1:4000";

/** Reads CROSSZONE_URL and CROSSZONE_TOKEN. `hint` says how to get a zone. Throws a `UsageError` when a value is missing or malformed. */
export function zoneAddress(env: Readonly<Record<string, string | undefined>>, hint?: string): ZoneAddress {
  const text = env["CROSSZONE_URL"] || defaultUrl;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`CROSSZONE_URL must be a URL that starts with http:// or https://, got "${text}".`);
  if (url.username || url.password)
    throw new UsageError("CROSSZONE_URL must not contain credentials. Put the token in CROSSZONE_TOKEN.");
  const token = env["CROSSZONE_TOKEN"]?.trim() ?? "";
  if (token === "")
    throw new UsageError(`CROSSZONE_TOKEN is not set. ${hint ?? "Set it to one of the zone's AGENT_ADMIN_TOKENS."}`);
  if (!/^[\u0021-\u007e]+$/.test(token))
    throw new UsageError(
      "CROSSZONE_TOKEN contains characters that a token can't have. Check for spaces and line breaks.",
    );
  const address = (url.origin + url.pathname).replace(/\/+$/, "");
  const linkToken = env["CROSSZONE_LINK_TOKEN"]?.trim();
  return { url: address, token, linkToken, hint: hint ?? "CROSSZONE_URL is the address of the execution zone." };
}

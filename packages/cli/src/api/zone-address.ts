import { UsageError } from "../arguments/usage-error.ts";
import type { ZoneAddress } from "./send.ts";

/** Where the zone is when nobody says. */
const defaultUrl = "http://127.0.0.1:4000";

/** Reads CROSSZONE_URL and CROSSZONE_TOKEN. `hint` says how to come by a zone. */
export function zoneAddress(env: Readonly<Record<string, string | undefined>>, hint?: string): ZoneAddress {
  const text = env["CROSSZONE_URL"] || defaultUrl;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`CROSSZONE_URL must be an http or https address, not "${text}".`);
  if (url.username || url.password)
    throw new UsageError("CROSSZONE_URL must not hold credentials; the token stands in CROSSZONE_TOKEN.");
  const token = env["CROSSZONE_TOKEN"]?.trim() ?? "";
  if (token === "")
    throw new UsageError(`CROSSZONE_TOKEN is not set. ${hint ?? "It is one of the zone's AGENT_ADMIN_TOKENS."}`);
  if (!/^[\u0021-\u007e]+$/.test(token)) throw new UsageError("CROSSZONE_TOKEN has characters that no token has.");
  const address = (url.origin + url.pathname).replace(/\/+$/, "");
  const linkToken = env["CROSSZONE_LINK_TOKEN"]?.trim();
  return { url: address, token, linkToken, hint: hint ?? "CROSSZONE_URL says where the execution zone is." };
}

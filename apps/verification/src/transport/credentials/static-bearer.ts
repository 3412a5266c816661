import type { LiveFiles } from "@crosszone/service-kit";
import { bearerHeaders, type Credentials } from "./credentials.ts";

/** A bearer token that both zones know. Of a file, always what the file says now. */
export function createStaticBearer(token: string | LiveFiles<string>): Credentials {
  if (typeof token === "string") {
    const headers = bearerHeaders(token);
    return { headers: () => headers, invalidate: () => false };
  }
  return {
    headers: () => bearerHeaders(token.current()),
    invalidate: (refused) => bearerHeaders(token.reread())["authorization"] !== refused["authorization"],
  };
}

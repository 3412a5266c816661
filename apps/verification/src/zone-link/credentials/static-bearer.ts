import type { LiveFiles } from "@crosszone/service-kit";
import { bearerHeaders, type Credentials } from "./credentials.ts";

/** Sends a bearer token that both zones share. A token from a file follows the file's current content. */
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

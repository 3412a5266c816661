import type { IncomingMessage, ServerResponse } from "node:http";
import { answerJson } from "@crosszone/service-kit";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";

/** https://www.rfc-editor.org/rfc/rfc9728#section-3 */
export const metadataPath = "/.well-known/oauth-protected-resource";

export interface ResourceMetadataDeps {
  readonly publicUrl: AskRoutesDeps["publicUrl"];
  /** Returns the issuers whose tokens are accepted. */
  readonly issuers: () => readonly string[];
}

/** Serves the metadata of the resource at a path: where a program gets a token, for which audience and scope. It is public. */
export const createMetadataRoute =
  ({ publicUrl, issuers }: ResourceMetadataDeps, path: "" | "/a2a" | "/mcp") =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const servers = issuers();
    const metadata = {
      resource: `${publicUrl(request)}${path}`,
      resource_name: "Crosszone",
      ...(servers.length > 0 && { authorization_servers: servers }),
      scopes_supported: ["ask"],
      bearer_methods_supported: ["header"],
    };
    answerJson(response, 200, JSON.stringify(metadata));
  };

import {
  type ApiPart,
  ApiProblem,
  bootstrap,
  invalidBody,
  newTokenText,
  serveApi,
  tokenDigest,
  type TokenHolder,
} from "@crosszone/admin-api";
import type { CreateTokenRequest } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { TokenUses } from "../../people/token-uses.ts";
import type { TokenStore } from "../../people/token-store.ts";

/** Creates the part of the API that creates, lists and revokes API tokens, and lists their uses. */
export function createTokenRoutes(store: TokenStore, uses: TokenUses, emit: Emit<ExecutionEvent>): ApiPart {
  return serveApi("token", {
    listTokens: async () => ({ tokens: await store.list() }),
    createToken: async ({ body, holder, by }) => {
      checkWanted(body, holder);
      const token = newTokenText();
      const { expiresAt: latest } = holder;
      const stored = await store.create({ ...body, digest: tokenDigest(token), by, latest });
      if (stored === "taken") throw new ApiProblem("token_exists");
      if (stored === "full") throw new ApiProblem("too_many_tokens");
      if (stored === "past") throw invalidBody([{ pointer: "/expires_at", message: "must be in the future" }]);
      if (stored === "too_late")
        throw new ApiProblem(
          "above_creator",
          `Your token expires at ${isoTime(latest ?? 0)}. Choose an earlier expiry.`,
        );
      const { name, scopes, expires_at } = stored;
      emit("token_created", { name, scopes, by: by.actor, expires_at, correlation_id: by.correlationId });
      return { token, api_token: stored };
    },
    revokeToken: async ({ params: { name }, by }) => {
      if (!(await store.revoke(name, by))) throw new ApiProblem("token_not_found");
      emit("token_revoked", { name, by: by.actor, correlation_id: by.correlationId });
    },
    listTokenUses: async ({ query }) => ({ uses: await uses.list(query) }),
  });
}

/** Throws unless the holder of a token may create this one. */
function checkWanted({ name, scopes, expires_at, expires_in }: CreateTokenRequest, holder: TokenHolder): void {
  if (name === bootstrap) throw invalidBody([{ pointer: "/name", message: "is reserved for ADMIN_TOKENS" }]);
  if ((expires_at === undefined) === (expires_in === undefined))
    throw invalidBody([{ pointer: "/expires_at", message: "is needed, or expires_in, but not both" }]);
  const above = scopes.filter((scope) => !holder.scopes.includes(scope));
  if (above.length > 0)
    throw new ApiProblem("above_creator", `Your token lacks ${above.join(", ")}. Leave out what it lacks.`);
}

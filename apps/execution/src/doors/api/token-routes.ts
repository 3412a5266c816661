import {
  ApiProblem,
  bootstrap,
  correctThem,
  tokenDigest,
  newTokenText,
  page,
  readQuery,
  readValidBody,
  text,
  type ApiContent,
  type ApiExchange,
  type ApiPart,
  type TokenHolder,
} from "@crosszone/admin-api";
import { authorOf } from "@crosszone/audit";
import {
  type CreatedToken,
  type CreateTokenRequest,
  isCreateTokenRequest,
  type TokenUseList,
} from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import type { Emit } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { TokenUses } from "../../people/token-uses.ts";
import type { TokenStore } from "../../people/token-store.ts";

const maxBytes = 4_096;

const problems = {
  token_not_found: { kind: "token_not_found", status: 404, title: "Token not found" },
  token_exists: { kind: "token_exists", status: 409, title: "A token has or had this name" },
  too_many_tokens: { kind: "too_many_tokens", status: 409, title: "There are too many live tokens" },
  above_creator: { kind: "above_creator", status: 403, title: "A token can't create a token above itself" },
  invalid_token_request: { kind: "invalid_token_request", status: 422, title: "The token request is not valid" },
};

/** Creates the part of the API that creates, lists and revokes API tokens, and lists their uses. */
export function createTokenRoutes(store: TokenStore, uses: TokenUses, emit: Emit<ExecutionEvent>): ApiPart {
  async function create(exchange: ApiExchange): Promise<ApiContent> {
    const { request, holder, correlationId } = exchange;
    const { scopes, ...wanted } = await readRequest(request, holder);
    const token = newTokenText();
    const { actor: by, expiresAt: latest } = holder;
    const stored = await store.create({
      ...wanted,
      scopes,
      digest: tokenDigest(token),
      by: authorOf(exchange),
      latest,
    });
    if (stored === "taken")
      throw new ApiProblem(
        problems.token_exists,
        "Choose another name. Names are not reused, because approvals and the audit log trust them.",
      );
    if (stored === "full") throw new ApiProblem(problems.too_many_tokens, "1,000 tokens are live. Revoke one first.");
    if (stored === "past") throw invalid("/expires_at", "must be in the future");
    if (stored === "too_late")
      throw new ApiProblem(
        problems.above_creator,
        `Your token expires at ${isoTime(latest ?? 0)}. Choose an earlier expiry.`,
      );
    const { name, expires_at } = stored;
    emit("token_created", { name, scopes, by, expires_at, correlation_id: correlationId });
    return { status: 201, body: { token, api_token: stored } satisfies CreatedToken };
  }

  async function revoke(exchange: ApiExchange): Promise<ApiContent> {
    const { params, actor, correlationId } = exchange;
    const name = params["name"] ?? "";
    const isRevoked = await store.revoke(name, authorOf(exchange));
    if (!isRevoked) throw new ApiProblem(problems.token_not_found, "List the tokens to see their names.");
    emit("token_revoked", { name, by: actor, correlation_id: correlationId });
    return { status: 204 };
  }

  return {
    document: openApi("token"),
    paths: {
      "/tokens": {
        get: async ({ request }) => {
          readQuery(request.url, {});
          return { status: 200, body: { tokens: await store.list() } };
        },
        post: create,
      },
      "/token-uses": {
        get: async ({ request }) => {
          const query = readQuery(request.url, { actor: text, limit: page.limit });
          return { status: 200, body: { uses: await uses.list(query) } satisfies TokenUseList };
        },
      },
      "/tokens/{name}": { delete: revoke },
    },
  };
}

async function readRequest(request: ApiExchange["request"], { scopes }: TokenHolder): Promise<CreateTokenRequest> {
  const rules = { maxBytes, invalid: problems.invalid_token_request };
  const wanted = await readValidBody(request, isCreateTokenRequest, rules);
  if (wanted.name === bootstrap) throw invalid("/name", "is reserved for ADMIN_TOKENS");
  if ((wanted.expires_at === undefined) === (wanted.expires_in === undefined))
    throw invalid("/expires_at", "is needed, or expires_in, but not both");
  const above = wanted.scopes.filter((scope) => !scopes.includes(scope));
  if (above.length === 0) return wanted;
  throw new ApiProblem(problems.above_creator, `Your token lacks ${above.join(", ")}. Leave out what it lacks.`);
}

const invalid = (pointer: string, message: string): ApiProblem =>
  new ApiProblem(problems.invalid_token_request, correctThem, { problems: [{ pointer, message }] });

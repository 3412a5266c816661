import {
  type ApiContent,
  type ApiExchange,
  type ApiPart,
  ApiProblem,
  idempotencyKeyOf,
  readQuery,
  readValidBody,
} from "@crosszone/admin-api";
import { authorOf } from "@crosszone/audit";
import {
  type BulkAction,
  type BulkActionList,
  type DeadLetterList,
  isStartBulkActionRequest,
} from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import type { BulkActions } from "../../people/bulk-actions.ts";

/** Above the size of 5,000 ids of 255 characters, bytes. */
const maxBytes = 2_000_000;

const problems = {
  bulk_action_not_found: { kind: "bulk_action_not_found", status: 404, title: "Bulk action not found" },
  key_reused: { kind: "key_reused", status: 422, title: "The idempotency key was used for another request" },
  invalid_bulk_action: { kind: "invalid_bulk_action", status: 422, title: "The bulk action is not valid" },
};

/** Creates the part of the API that acts on many items, and shows dead letters. */
export function createBulkRoutes(bulk: BulkActions, listDeadLetters: () => Promise<DeadLetterList>): ApiPart {
  async function start(exchange: ApiExchange): Promise<ApiContent> {
    const { request, baseUrl } = exchange;
    const key = idempotencyKeyOf(request);
    const rules = { maxBytes, invalid: problems.invalid_bulk_action };
    const asked = await readValidBody(request, isStartBulkActionRequest, rules);
    const body = await bulk.start(asked, { by: authorOf(exchange), credential: exchange.holder.digest, key });
    if (body === "key_reused")
      throw new ApiProblem(problems.key_reused, "Repeat the same request, or use another key.");
    return { status: 201, body, headers: { location: `${baseUrl}/bulk-actions/${body.bulk_action_id}` } };
  }

  const idOf = ({ params }: ApiExchange): string => params["bulk_action_id"] ?? "";
  return {
    document: openApi("bulk"),
    paths: {
      "/bulk-actions": {
        get: async ({ request }) => {
          readQuery(request.url, {});
          return { status: 200, body: { bulk_actions: [...(await bulk.list())] } satisfies BulkActionList };
        },
        post: start,
      },
      "/bulk-actions/{bulk_action_id}": {
        get: async (exchange) => {
          readQuery(exchange.request.url, {});
          return { status: 200, body: found(await bulk.find(idOf(exchange))) };
        },
      },
      "/bulk-actions/{bulk_action_id}/stop": {
        post: async (exchange) => ({
          status: 200,
          body: found(await bulk.stop(idOf(exchange), authorOf(exchange))),
        }),
      },
      "/dead-letters": {
        get: async ({ request }) => {
          readQuery(request.url, {});
          return { status: 200, body: await listDeadLetters() };
        },
      },
    },
  };
}

function found(action: BulkAction | undefined): BulkAction {
  if (action !== undefined) return action;
  throw new ApiProblem(problems.bulk_action_not_found, "List the bulk actions to see their ids.");
}

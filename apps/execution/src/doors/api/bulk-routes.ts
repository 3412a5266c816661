import { type ApiPart, ApiProblem, ApiReply, serveApi } from "@crosszone/admin-api";
import type { BulkAction, DeadLetterList } from "@crosszone/contracts";
import type { BulkActions } from "../../people/bulk-actions.ts";

/** Creates the part of the API that acts on many items, and shows dead letters. */
export function createBulkRoutes(bulk: BulkActions, listDeadLetters: () => Promise<DeadLetterList>): ApiPart {
  return serveApi("bulk", {
    listBulkActions: async () => ({ bulk_actions: [...(await bulk.list())] }),
    startBulkAction: async ({ body: asked, headers, by, holder, baseUrl }) => {
      const body = await bulk.start(asked, { by, credential: holder.digest, key: headers["idempotency-key"] });
      if (body === "key_reused") throw new ApiProblem("key_reused");
      return new ApiReply({
        status: 201,
        body,
        headers: { location: `${baseUrl}/bulk-actions/${body.bulk_action_id}` },
      });
    },
    getBulkAction: async ({ params }) => found(await bulk.find(params.bulk_action_id)),
    stopBulkAction: async ({ params, by }) => found(await bulk.stop(params.bulk_action_id, by)),
    listDeadLetters: () => listDeadLetters(),
  });
}

function found(action: BulkAction | undefined): BulkAction {
  if (action === undefined) throw new ApiProblem("bulk_action_not_found");
  return action;
}

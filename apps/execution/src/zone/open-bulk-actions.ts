import { type ApiTokens, whyEnded } from "@crosszone/admin-api";
import { type Author, authorAct, type ZoneAudit } from "@crosszone/audit";
import type { BulkActionKind, MessageAct } from "@crosszone/contracts";
import { createDeadLetterStore, type KafkaGateway } from "@crosszone/kafka-gateway";
import type { RunChangeResult, Workflows } from "@crosszone/workflow";
import { BulkActions } from "../people/bulk-actions.ts";
import { isLive } from "../people/input-record.ts";
import type { InputRequests } from "../people/input-requests.ts";
import type { MessageStore } from "../tasks/store/message-store.ts";
import type { RoleParts } from "./open-store.ts";

/** Opens what operators do with many items at once. Any process with the API works on it, whatever its roles. */
export function openBulkActions(
  { config, database, jobs }: RoleParts,
  on: {
    readonly workflows: Workflows;
    readonly inputs: InputRequests;
    readonly gateway: KafkaGateway | undefined;
    readonly messages: MessageStore;
    readonly tokens: ApiTokens;
    readonly audit: Pick<ZoneAudit, "append" | "record">;
  },
): BulkActions {
  const { workflows, inputs, gateway, messages, tokens, audit } = on;
  const recorded = (by: Author, action: BulkActionKind, id: string) =>
    audit.record(authorAct(by, { action, target: { type: action.split(".", 1)[0] as string, id } }));
  async function onMessage(act: MessageAct, reference: string, by: Author): Promise<string | undefined> {
    const why = await messages.want(reference, act);
    if (why === undefined) await recorded(by, `message.${act}`, reference);
    return why;
  }
  const noLetter = "There is no such dead letter.";
  return new BulkActions({
    database,
    jobs,
    append: audit.append,
    retentionMs: config.TASK_RETENTION,
    whyEnded: (digest) => whyEnded(tokens, digest, "runs:act"),
    acts: {
      "run.cancel": async (id, by) => leftAlone(await workflows.cancel(id, by)),
      "run.retry": async (id, by) => leftAlone(await workflows.retry(id, by)),
      "input_request.withdraw": async (id, by) => {
        const before = await inputs.find(id);
        if (before === undefined) return "There is no such input request.";
        if (!isLive(before.request)) return `It is ${before.request.state}.`;
        await inputs.withdraw(id, `Withdrawn by ${by.actor}.`, by);
        return undefined;
      },
      "dead_letter.replay": async (id, by) => {
        if (gateway === undefined) throw new Error("KAFKA_BROKERS is not set.");
        if ((await gateway.replay(id)) === "unknown") return noLetter;
        await recorded(by, "dead_letter.replay", id);
        return undefined;
      },
      "dead_letter.discard": async (id, by) => {
        if (!(await createDeadLetterStore(database).discard(id))) return noLetter;
        await recorded(by, "dead_letter.discard", id);
        return undefined;
      },
      "message.replay": (id, by) => onMessage("replay", id, by),
      "message.discard": (id, by) => onMessage("discard", id, by),
    },
  });
}

function leftAlone(change: RunChangeResult): string | undefined {
  if (change.outcome === "unknown_run") return "There is no such run.";
  return change.outcome === "too_late" ? `The run is ${change.run.state}.` : undefined;
}

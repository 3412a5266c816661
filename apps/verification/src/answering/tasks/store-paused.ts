import type { InputRequest, TaskInputRequired } from "@crosszone/contracts";
import type { Inbox } from "../../inbox/inbox.ts";
import {
  headOf,
  type InboxRecord,
  inputRecordId,
  pausedClaim,
  pausedTaskId,
  type PausedTaskRecord,
  type RecordHead,
} from "../../inbox/records.ts";

type Store = Pick<Inbox, "accept" | "isOpen">;

/** Stores a record unless it is there. Its claims may be gone, because it waits longer than they are kept. */
async function acceptOnce(inbox: Store, record: InboxRecord): Promise<void> {
  if (!(await inbox.isOpen(record.request_id))) await inbox.accept(record);
}

/** Stores the input requests of a task that waits, so that Slack shows each once. */
export async function storeInputs(inbox: Store, record: RecordHead, requests: readonly InputRequest[]): Promise<void> {
  for (const request of requests) {
    const request_id = inputRecordId(request.request_id);
    await acceptOnce(inbox, { ...headOf(record), kind: "input", request_id, claims: [request_id], request });
  }
}

/** Stores a task that waits, so that the thread of its question gets its answer once people have decided. */
export async function storePaused(
  inbox: Store,
  record: RecordHead,
  { required, ...task }: { readonly required: TaskInputRequired } & Pick<PausedTaskRecord, "is_workflow" | "people">,
): Promise<void> {
  await storeInputs(inbox, record, required.input_requests);
  const { task_id } = required;
  const ids = {
    request_id: pausedTaskId(task_id),
    claims: [pausedClaim(record)],
    session: record.request_id,
    task_id,
  };
  await acceptOnce(inbox, { ...headOf(record), ...task, ...ids, kind: "paused_task" });
}

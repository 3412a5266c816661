import { setTimeout as wait } from "node:timers/promises";
import type { ChaosEngine } from "../system/engine.ts";
import { readRow } from "./read-row.ts";

/** What the zones' databases hold in the end. */
export interface StoreFigures {
  /** Why the databases are not as they should be; nothing when they are. */
  readonly problems: readonly string[];
  readonly inbox: { readonly open: number; readonly parked: number };
  readonly tasks: { readonly open: number; readonly succeeded: number; readonly failed: number };
}

const inboxQuery = `select count(case when state <> 'parked' then 1 end) as open, count(case when state = 'parked' then 1 end) as parked from inbox`;
const taskQuery = `select count(case when finished_at is null then 1 end) as open, count(case when state = 'success' then 1 end) as succeeded,
  count(case when finished_at is not null and state <> 'success' then 1 end) as failed from task`;

/** Looks into both databases, until nothing is open any more or the time is over: each message is one task, and that succeeded. */
export async function judgeStores(
  engine: ChaosEngine,
  { messages, isOver }: { readonly messages: number; readonly isOver: () => boolean },
): Promise<StoreFigures> {
  for (;;) {
    const inbox = await readRow<StoreFigures["inbox"]>(engine.url("verification"), "verification", inboxQuery);
    const tasks = await readRow<StoreFigures["tasks"]>(engine.url("execution"), "execution", taskQuery);
    if (inbox.open + tasks.open > 0 && !isOver()) {
      await wait(250);
      continue;
    }
    const problems: string[] = [];
    if (inbox.open > 0) problems.push(`${inbox.open} records of the inbox are open`);
    if (inbox.parked > 0) problems.push(`${inbox.parked} records of the inbox are parked`);
    if (tasks.open > 0) problems.push(`${tasks.open} tasks have not ended`);
    if (tasks.failed > 0) problems.push(`${tasks.failed} tasks ended without success`);
    const all = tasks.open + tasks.succeeded + tasks.failed;
    if (all !== messages) problems.push(`${messages} messages made ${all} tasks`);
    return { problems, inbox, tasks };
  }
}

import type { TakenJob } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { sealContexts, type InboxColumn } from "./inbox-jobs.ts";
import type { InboxRecord, Progress, TakenRecord } from "./inbox.ts";
import { UnreadableRecordError } from "./endings.ts";

export interface ReadOptions {
  /** Maximum number of attempts per record. */
  readonly attempts: number;
  readonly codec: RecordCodec;
}

/** Reads a record as taken. Throws an `UnreadableRecordError`. */
export function readRecord<K extends InboxRecord["kind"]>(
  job: TakenJob<InboxColumn>,
  { attempts, codec }: ReadOptions,
): TakenRecord<K> {
  const { id, attempt, placeholder, answer, attached } = job;
  const lease = { attempt, lane: job.lane ?? "", triesLeft: attempts - (attempt - Number(job.uncounted)) };
  try {
    return {
      ...lease,
      record: codec.fromColumn(job.input ?? "", sealContexts.record(id)) as TakenRecord<K>["record"],
      progress: {
        ...(placeholder !== null && { placeholder: String(placeholder) }),
        ...(answer !== null && {
          answer: codec.fromColumn(String(answer), sealContexts.answer(id)) as NonNullable<Progress["answer"]>,
        }),
        ...(attached === 1 && { attached: true }),
      },
    };
  } catch (error) {
    throw new UnreadableRecordError({ ...lease, record: { request_id: id } }, error);
  }
}

import type { InputRequest, PersonTask } from "@crosszone/contracts";
import { jobStates, type JobStore } from "@crosszone/jobs";
import { opened, type RecordCodec } from "@crosszone/service-kit";
import { atMost } from "@crosszone/service-kit/timing";
import { now } from "@crosszone/sql";
import type { VerificationDatabase } from "../database.ts";
import type { MessagePlace, SlackFile } from "../slack/slack-api.ts";
import { channelDigest, claimOf, type InboxColumn, sealContexts } from "./record-rows.ts";
import {
  type InboxRecord,
  isMessageClaim,
  pausedClaim,
  pausedTaskId,
  type PausedTaskRecord,
  type Question,
  type RecordHead,
  type ShownInput,
  type ShownInputRecord,
  type TeamThread,
} from "./records.ts";

/** A message that was asked, and is open. */
interface AskedMessage {
  /** Its question, or its task that waits for people. */
  readonly record: Question | PausedTaskRecord;
  /** True until a worker has had the question. */
  readonly isWaiting: boolean;
  /** The record as it is stored, which `amend` compares. */
  readonly input: string;
}

const ofMessages = ["ask", "paused_task"] as const;

/** What became of Slack's messages, by their claims, which outlive their records. */
export class AskedMessages {
  readonly #database: VerificationDatabase;
  readonly #store: JobStore<InboxColumn>;
  readonly #codec: RecordCodec;

  constructor(database: VerificationDatabase, store: JobStore<InboxColumn>, codec: RecordCodec) {
    this.#database = database;
    this.#store = store;
    this.#codec = codec;
  }

  /** Resolves with the open records of the message with this claim: its question, or its task that waits. Undefined if there was no such message. */
  async openOf(claim: string): Promise<readonly string[] | undefined> {
    const rows = await this.#rowsOf(claim);
    return rows?.map(({ id }) => id);
  }

  /** Resolves with the message that has this claim: `over` once it is answered or stopped, undefined if nothing was asked. */
  async find(claim: string): Promise<AskedMessage | "over" | undefined> {
    const rows = await this.#rowsOf(claim);
    const row = rows?.find(({ state, stopped_by }) => state !== jobStates.parked && stopped_by === null);
    if (row === undefined) return rows && "over";
    const { id, input, kind, attempt, state } = row;
    const isUntouched = attempt === 0 && (state === jobStates.ready || state === jobStates.behind);
    return {
      record: this.#recordOf(id, input) as AskedMessage["record"],
      isWaiting: kind === "ask" && isUntouched,
      input: input ?? "",
    };
  }

  /** Gives a question new content, on condition that no worker has had it, and that it is as it was found. */
  amend({ input: from }: AskedMessage, amended: Question): Promise<boolean> {
    const { request_id: id } = amended;
    return this.#store.amend(id, { from, to: this.#codec.toColumn(amended, sealContexts.record(id)) });
  }

  /** Takes a claim for a record. Resolves with false if another one has it. Safe to repeat. */
  async claim(claim: string, request_id: string): Promise<boolean> {
    const { db, engine } = this.#database;
    const row = { request_id, of_message: Number(isMessageClaim(claim)), claimed_at: now(engine) };
    const taking = db.insertInto("claim").values({ ...row, digest: claimOf(claim) });
    await taking.onConflict((same) => same.column("digest").doNothing()).execute();
    return (await this.#holderOf(claim).executeTakeFirst())?.request_id === request_id;
  }

  /** Gives a claim of a record back, if it has it. */
  async giveBack(claim: string, request_id: string): Promise<void> {
    const giving = this.#database.db.deleteFrom("claim").where("digest", "=", claimOf(claim));
    await giving.where("request_id", "=", request_id).execute();
  }

  /** Resolves with the input requests of a thread that Slack shows as open, as they were asked. Leaves out those that no key opens. */
  async awaitedIn(thread: TeamThread): Promise<readonly InputRequest[]> {
    const found = this.#database.db.selectFrom("job").select(["id", "input", "shown"]).where("kind", "=", "input");
    const rows = await found.where("channel", "=", channelDigest(thread)).execute();
    return rows.flatMap(({ id, input, shown }) => {
      if (shown !== null && (JSON.parse(shown) as ShownInput).isOpen === false) return [];
      const record = opened(() => this.#recordOf(id, input) as ShownInputRecord);
      return record?.thread_ts === thread.thread_ts ? [record.request] : [];
    });
  }

  /** Resolves with the first message of the thread of each task's question, open or ended, by correlation id: only of a person's own. */
  async threadsOf(
    tasks: readonly Pick<PersonTask, "task_id" | "request_id" | "correlation_id">[],
    user_id: string,
  ): Promise<ReadonlyMap<string, MessagePlace>> {
    if (tasks.length === 0) return new Map();
    const { db } = this.#database;
    const ids = tasks.flatMap(({ task_id, request_id }) => [request_id, pausedTaskId(task_id)]);
    const references = tasks.map(({ correlation_id }) => correlation_id);
    const open = await db.selectFrom("job").select(["id", "input"]).where("id", "in", ids).execute();
    const ended = db.selectFrom("message").select(["reference as correlation_id", "user_id", "channel", "thread_ts"]);
    const records = open.map(({ id, input }) => this.#recordOf(id, input));
    const all = [...(await ended.where("reference", "in", references).execute()), ...records];
    const own = all.filter((one) => one.user_id === user_id);
    return new Map(own.map(({ correlation_id, channel, thread_ts: ts }) => [correlation_id, { channel, ts }]));
  }

  #recordOf(id: string, input: string | null): InboxRecord {
    return this.#codec.fromColumn(input ?? "", sealContexts.record(id)) as InboxRecord;
  }

  #holderOf(claim: string) {
    return this.#database.db.selectFrom("claim").select("request_id").where("digest", "=", claimOf(claim));
  }

  async #rowsOf(claim: string) {
    const question = await this.#holderOf(claim).executeTakeFirst();
    if (question === undefined) return undefined;
    const found = this.#database.db.selectFrom("job").where("kind", "in", ofMessages);
    const ofMessage = found.where((row) =>
      row.or([row("id", "=", question.request_id), row("id", "=", this.#holderOf(pausedClaim(question.request_id)))]),
    );
    return ofMessage.select(["id", "kind", "input", "state", "attempt", "stopped_by"]).execute();
  }
}

/** How many claims are remembered: two for each message. */
const mostReceipts = 10_000;

/** How long a question waits for its message's other event, which names the files, milliseconds. A lookup takes longer. */
const twinMs = 20;

interface Receipt {
  /** Resolves with true once it is stored, with false if it will not be. */
  readonly isStored: Promise<boolean>;
  /** Resolves with the files that another event of its message names. */
  readonly files: PromiseWithResolvers<readonly SlackFile[]>;
}

/**
 * What this process remembers of the events that it has stored, and is storing: Slack sends a mention as two events, and an event again
 * when it was acknowledged late. What is not remembered is in the inbox, which has the last word.
 */
export class RecentMessages {
  /** By claim, oldest first. */
  readonly #receipts = new Map<string, Receipt>();

  /** Receives an event. One of which another event has a claim is a duplicate as soon as that is stored. */
  async once<Result extends { readonly verdict: string }>(
    claims: readonly string[],
    receive: () => Promise<Result>,
  ): Promise<Result | { readonly verdict: "duplicate" }> {
    for (let known = this.#find(claims); known !== undefined; known = this.#find(claims))
      if (await known.isStored) return { verdict: "duplicate" };
    const files = Promise.withResolvers<readonly SlackFile[]>();
    const receiving = receive();
    const isStored = receiving.then(({ verdict }) => verdict === "accepted").catch(() => false);
    for (const claim of claims) this.#receipts.set(claim, { isStored, files });
    if (!(await isStored)) for (const claim of claims) this.#receipts.delete(claim);
    for (const claim of this.#receipts.keys()) {
      if (this.#receipts.size <= mostReceipts) break;
      this.#receipts.delete(claim);
    }
    return receiving;
  }

  #find(claims: readonly string[]): Receipt | undefined {
    return claims.map((claim) => this.#receipts.get(claim)).find((receipt) => receipt !== undefined);
  }

  /** Notes the files of a remembered message, as its second event names them. */
  tell(claim: string, read: () => readonly SlackFile[]): void {
    const receipt = this.#receipts.get(claim);
    if (receipt !== undefined) receipt.files.resolve(read());
  }

  /** Resolves with the files of a message as soon as its second event has named them; undefined if that takes too long. */
  async filesOf({ claims }: RecordHead): Promise<readonly SlackFile[] | undefined> {
    let files: readonly SlackFile[] | undefined;
    const told = this.#receipts.get(claims.at(-1) ?? "")?.files.promise.then((named) => void (files = named));
    if (told !== undefined) await atMost(twinMs, told);
    return files;
  }
}

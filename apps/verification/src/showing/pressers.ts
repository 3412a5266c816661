import type { ParamProblem } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import { atMost, type Clock } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { LeasedRecord, PressRecord } from "../inbox/records.ts";
import type { ResponseUrls } from "../slack/response-urls.ts";
import type { SlackApi, SlackAsker } from "../slack/slack-api.ts";

/** What a person reads after a press. */
export interface PressReply {
  /** Empty if there is nothing to say. */
  readonly text: string;
  /** True if the answer had no effect, so that a modal stays open. */
  readonly isRejected: boolean;
  /** What is wrong with the answer. */
  readonly problems?: readonly ParamProblem[] | undefined;
}

/** What became of a press, for the log, and what its person reads. */
export type Acted = PressReply & { readonly outcome: string };

export const acted = (text: string): Acted => ({ text, isRejected: false, outcome: "done" });
export const rejected = (text: string): Acted => ({ text, isRejected: true, outcome: "rejected" });

/** A stored press that is worked on. */
export interface PressWork {
  readonly leased: LeasedRecord<"press">;
  /** Aborts when this process must leave the record unchanged. */
  readonly signal: AbortSignal;
  /** Reports events with the ids of the record. */
  readonly emit: Emit<VerificationEvent>;
}

/** Presses that can be answered at their URL. Older ones are answered by the Web API. */
const mostPresses = 1_000;

/**
 * Answers presses. A press is stored without its `response_url`, so another process, or this one after a restart, answers with an ephemeral
 * message in the place of the press.
 */
export class Pressers {
  readonly #responseUrls: ResponseUrls;
  readonly #clock: Clock;
  readonly #pressed = new Map<string, { readonly url: string | undefined; reply?: (reply: PressReply) => void }>();

  constructor(responseUrls: ResponseUrls, clock: Clock) {
    this.#responseUrls = responseUrls;
    this.#clock = clock;
  }

  /**
   * Keeps where to answer a press, before it is stored. Returns a wait of at most `ms` milliseconds for the reply to a submitted modal
   * (`isModal`).
   */
  pressed(
    requestId: string,
    { url, isModal }: { readonly url: string | undefined; readonly isModal: boolean },
  ): (ms: number) => Promise<PressReply | undefined> {
    const [oldest = ""] = this.#pressed.keys();
    if (this.#pressed.size >= mostPresses) this.#pressed.delete(oldest);
    const { promise, resolve } = Promise.withResolvers<PressReply>();
    this.#pressed.set(requestId, { url, reply: isModal ? resolve : undefined });
    return async (ms) => {
      let reply: PressReply | undefined;
      await atMost(
        ms,
        promise.then((given) => (reply = given)),
        this.#clock,
      );
      delete this.#pressed.get(requestId)?.reply;
      return reply;
    };
  }

  /** Tells only the person what became of a press. Rejects with the `SlackCallError` if it could not. */
  async answer(slack: SlackApi, record: PressRecord, reply: PressReply): Promise<void> {
    const press = this.#pressed.get(record.request_id);
    this.#pressed.delete(record.request_id);
    press?.reply?.(reply);
    const isSaid = reply.text !== "" && (press?.reply === undefined || !reply.isRejected);
    if (isSaid) await this.tell(slack, record, { ...reply, url: press?.url });
  }

  /** Tells a person something at the URL of a press, else in its place. */
  async tell(
    slack: SlackApi,
    place: SlackAsker,
    { url, text }: { readonly url: string | undefined; readonly text: string },
  ): Promise<void> {
    const thread = place.in_thread ? place.thread_ts : undefined;
    try {
      if (url !== undefined) return await this.#responseUrls.answer(url, text, thread);
    } catch {
      // The URL may have expired: Slack accepts the message in another way.
    }
    await slack.tell(place, text);
  }
}

import { atMost, type Clock } from "@crosszone/service-kit/timing";
import type { ParamProblem } from "@crosszone/contracts";
import type { DecisionRecord } from "../../inbox/records.ts";
import type { ResponseUrls } from "../../slack/response-urls.ts";
import type { SlackApi } from "../../slack/slack-api.ts";

/** What a person reads after a press. */
export interface PressReply {
  readonly text: string;
  /** True if the answer had no effect, so that a modal stays open. */
  readonly isRejected: boolean;
  /** What is wrong with the answer. */
  readonly problems?: readonly ParamProblem[] | undefined;
}

/** Where a press can be answered in this process: at a URL, or in a modal that waits. */
export interface PressedAt {
  readonly response_url?: string | undefined;
  readonly thread_ts?: string | undefined;
}

/** Presses whose URLs are kept. Further ones are answered by the Web API. */
const mostUrls = 1_000;

/**
 * Answers presses. A press is stored without its `response_url`, so another process, or this one after a restart, answers with an ephemeral
 * message in the place of the press.
 */
export class Pressers {
  readonly #responseUrls: ResponseUrls;
  readonly #clock: Clock;
  readonly #urls = new Map<string, PressedAt>();
  readonly #modals = new Map<string, (reply: PressReply) => void>();

  constructor(responseUrls: ResponseUrls, clock: Clock) {
    this.#responseUrls = responseUrls;
    this.#clock = clock;
  }

  /** Keeps where to answer a press. Call it before the press is stored. */
  pressed(requestId: string, at: PressedAt): void {
    if (at.response_url === undefined) return;
    const [oldest] = this.#urls.keys();
    if (this.#urls.size >= mostUrls && oldest !== undefined) this.#urls.delete(oldest);
    this.#urls.set(requestId, at);
  }

  /** Returns a wait for the reply to a modal; it ends after `ms` milliseconds without one. Call it before the press is stored. */
  expect(requestId: string): (ms: number) => Promise<PressReply | undefined> {
    const { promise, resolve } = Promise.withResolvers<PressReply>();
    this.#modals.set(requestId, resolve);
    return async (ms) => {
      let reply: PressReply | undefined;
      await atMost(
        ms,
        promise.then((given) => void (reply = given)),
        this.#clock,
      );
      this.#modals.delete(requestId);
      return reply;
    };
  }

  /** Tells the person, and nobody else, what became of a press. Rejects with the `SlackCallError` if it could not. */
  async answer(slack: Pick<SlackApi, "tell">, record: DecisionRecord, reply: PressReply): Promise<void> {
    const modal = this.#modals.get(record.request_id);
    modal?.(reply);
    if (modal !== undefined && reply.isRejected) return;
    const at = this.#urls.get(record.request_id);
    this.#urls.delete(record.request_id);
    await this.tell(slack, record, { at, text: reply.text });
  }

  /** Tells a person something in the place of a press. */
  async tell(
    slack: Pick<SlackApi, "tell">,
    place: Parameters<SlackApi["tell"]>[0],
    { at, text }: { readonly at: PressedAt | undefined; readonly text: string },
  ): Promise<void> {
    if (at?.response_url !== undefined)
      try {
        return await this.#responseUrls.answer(at.response_url, text, at.thread_ts);
      } catch {
        // The URL may have expired: Slack accepts the message in another way.
      }
    await slack.tell(place, text);
  }
}

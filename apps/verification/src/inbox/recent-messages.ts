import { atMost } from "@crosszone/service-kit/timing";
import type { SlackFile } from "../slack/slack-api.ts";
import type { RecordHead } from "./records.ts";

/** How many claims are remembered: two for each message. */
const most = 10_000;

/** How long a question waits for its message's other event, which names the files, milliseconds. A lookup takes longer. */
const twinMs = 20;

/**
 * What this process remembers of the records that it has stored: Slack sends a mention as two events, and an event again when it was
 * acknowledged late. What is not remembered is in the inbox, which has the last word.
 */
export class RecentMessages {
  /** By claim, oldest first: resolves with the files that another event of the message names. */
  readonly #stored = new Map<string, PromiseWithResolvers<readonly SlackFile[]>>();

  /** Remembers a stored record. */
  add({ claims }: RecordHead): void {
    const files = Promise.withResolvers<readonly SlackFile[]>();
    for (const claim of claims) this.#stored.set(claim, files);
    for (const claim of this.#stored.keys()) {
      if (this.#stored.size <= most) return;
      this.#stored.delete(claim);
    }
  }

  has(claim: string): boolean {
    return this.#stored.has(claim);
  }

  /** Notes the files of a message, as its second event names them. */
  tell(claim: string, files: readonly SlackFile[]): void {
    this.#stored.get(claim)?.resolve(files);
  }

  /** Resolves with the files of a message as soon as its second event has named them; undefined if that takes too long. */
  async filesOf({ claims }: RecordHead): Promise<readonly SlackFile[] | undefined> {
    let files: readonly SlackFile[] | undefined;
    const told = this.#stored.get(claims.at(-1) ?? "")?.promise.then((named) => void (files = named));
    if (told !== undefined) await atMost(twinMs, told);
    return files;
  }
}

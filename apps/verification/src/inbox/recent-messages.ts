import { atMost } from "@crosszone/service-kit/timing";
import type { SlackFile } from "../slack/slack-api.ts";
import type { RecordHead } from "./records.ts";

/** How many claims are remembered: two for each message. */
const most = 10_000;

/** How long a question waits for its message's other event, which names the files, milliseconds. A lookup takes longer. */
const twinMs = 20;

interface Stored {
  /** Resolves with false if it was not stored, or has a claim of another record. */
  readonly isStored: Promise<boolean>;
  /** Resolves with the files that another event of its message names. */
  readonly files: PromiseWithResolvers<readonly SlackFile[]>;
}

/**
 * What this process remembers of the records that it stores: Slack sends a mention as two events, and an event again when it was
 * acknowledged late. What is not remembered is in the inbox, which has the last word.
 */
export class RecentMessages {
  /** By claim, oldest first. */
  readonly #stored = new Map<string, Stored>();

  /** Remembers a record while it is stored, and afterwards if it was. */
  async while<Result>({ claims }: RecordHead, storing: Promise<Result>): Promise<Result> {
    const isStored = storing.then(
      (result) => result !== "duplicate",
      () => false,
    );
    const stored = { isStored, files: Promise.withResolvers<readonly SlackFile[]>() };
    for (const claim of claims) this.#stored.getOrInsert(claim, stored);
    if (!(await isStored))
      for (const claim of claims) if (this.#stored.get(claim) === stored) this.#stored.delete(claim);
    for (const claim of this.#stored.keys()) {
      if (this.#stored.size <= most) break;
      this.#stored.delete(claim);
    }
    return storing;
  }

  /** Resolves with whether a record with this claim was stored; waits if that is under way. */
  async has(claim: string): Promise<boolean> {
    return (await this.#stored.get(claim)?.isStored) === true;
  }

  /** Notes the files of a remembered message, as its second event names them. */
  tell(claim: string, read: () => readonly SlackFile[]): void {
    const stored = this.#stored.get(claim);
    if (stored !== undefined) stored.files.resolve(read());
  }

  /** Resolves with the files of a message as soon as its second event has named them; undefined if that takes too long. */
  async filesOf({ claims }: RecordHead): Promise<readonly SlackFile[] | undefined> {
    let files: readonly SlackFile[] | undefined;
    const told = this.#stored.get(claims.at(-1) ?? "")?.files.promise.then((named) => void (files = named));
    if (told !== undefined) await atMost(twinMs, told);
    return files;
  }
}

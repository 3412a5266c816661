import { atMost } from "@crosszone/service-kit/timing";
import type { SlackFile } from "../slack/slack-api.ts";
import type { RecordHead } from "./records.ts";

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

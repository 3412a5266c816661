/** The answer to a request. */
export interface LoadAnswer {
  readonly status: number;
  readonly body: string;
}

export type Judge = (answer: LoadAnswer) => boolean;

/** A request of the load, and the judgment of its answer. */
export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Returns whether the answer is the one that this request deserves. */
  readonly judge: Judge;
}

/** One kind of request: its share of a thousand, and how to make the n-th one. */
export interface Kind {
  readonly name: string;
  readonly zone: "verification" | "execution";
  readonly perMille: number;
  /** The expected response of each request. */
  readonly deserves: string;
  /** Its n-th request delivers the n-th mention, which gets one answer however often it is delivered. */
  readonly asks?: true;
  readonly make: (n: number) => LoadRequest;
}

/** The judgment of a request by the status of its answer alone. */
export const statusIs =
  (status: number): Judge =>
  (answer) =>
    answer.status === status;

/** New mentions of a thousand requests. */
export const mentionsPerMille = 40;

/** Mentions that share a channel: Slack accepts one message a second in each, and bursts. */
export const mentionsPerChannel = 50;

/** A mention in a channel of the local Slack. */
export interface Mention {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly text: string;
}

/** The n-th question: a product that no other question has, so that an answer shows to which one it belongs. */
export const productOf = (n: number): string => `what is ${n + 1_000} * 7919`;

/** Whether a text answers the n-th question, however it groups the digits. */
export const isRightAnswer = (n: number, text: string): boolean =>
  text.replaceAll(/[^\d]/g, "").includes(String((n + 1_000) * 7_919));

/**
 * Mixes kinds by their shares, evenly and always in the same way: each request goes to the kind that is furthest behind. Returns the kind of
 * the next request, and how many of its kind came before it.
 */
export function createMix(kinds: readonly Kind[]): () => { kind: Kind; turn: number } {
  const turns = new Map(kinds.map((kind) => [kind, 0]));
  const whole = kinds.reduce((sum, { perMille }) => sum + perMille, 0);
  let sent = 0;
  return () => {
    sent += 1;
    const behind = (kind: Kind): number => (sent * kind.perMille) / whole - (turns.get(kind) ?? 0);
    const kind = kinds.reduce((most, next) => (behind(next) > behind(most) ? next : most));
    const turn = turns.get(kind) ?? 0;
    turns.set(kind, turn + 1);
    return { kind, turn };
  };
}

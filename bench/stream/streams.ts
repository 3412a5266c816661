/** How much is measured. */
export interface Plan {
  /** Streams at the same time. */
  readonly streams: number;
  /** How long each streams, seconds. */
  readonly seconds: number;
  /** Between the starts of two streams, milliseconds. */
  readonly everyMs: number;
}

export const fullPlan: Plan = { streams: 200, seconds: 12, everyMs: 20 };
export const quickPlan: Plan = { streams: 20, seconds: 3, everyMs: 20 };

/** Tokens that each stream sends in a second. */
export const tokensPerSecond = 50;

const words = "stream über wall token Lima 東京 slow café answer 🙂 piece naïve zone reader Ωmega line".split(" ");

/** What one stream of the benchmark sends. */
export interface StreamOrder {
  /** The number of the stream. Each has its own text. */
  readonly n: number;
  readonly tokens: number;
}

/** The question that orders a stream. */
export const questionOf = ({ n, tokens }: StreamOrder): string => `stream ${n} ${tokens} tokens`;

/** The stream that a question orders; undefined when it orders none. */
export function orderOf(question: string): StreamOrder | undefined {
  const [, n, tokens] = /stream (\d+) (\d+) tokens/.exec(question) ?? [];
  return n === undefined ? undefined : { n: Number(n), tokens: Number(tokens) };
}

/** One token of a stream: a word, and the gap before it. */
export function tokenOf({ n }: StreamOrder, index: number): string {
  const word = words[(n * 7 + index * 5 + (index % 13)) % words.length] ?? "";
  const gap = index === 0 ? "" : index % 60 === 0 ? "\n\n" : " ";
  return gap + word;
}

/** The whole text of a stream. */
export function textOf(order: StreamOrder): string {
  return Array.from({ length: order.tokens }, (_none, index) => tokenOf(order, index)).join("");
}

/** Milliseconds by a clock that all processes of the machine share. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6;

import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../../harness/random.ts";

/** An event as a subscriber got it. */
export interface SeenEvent {
  readonly id: number;
  /** The result of A2A, as JSON. */
  readonly result: string;
}

/** What a subscriber saw of one task. */
export interface Subscription {
  readonly taskId: string;
  /** The first is the task as it was then. */
  readonly events: readonly SeenEvent[];
  /** How often its stream was cut, by itself or by a dead process. */
  readonly cuts: number;
}

export interface SubscribeOptions {
  readonly taskId: string;
  /** Returns the URL of an agent on any live process. */
  readonly url: () => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly random: Random;
  /** The subscriber cuts its stream this often, after a few events each. */
  readonly cuts: number;
  readonly isOver: () => boolean;
}

/** Follows a task to its end over streams that are cut again and again, on any process. Each stream goes on after the last event. */
export async function subscribe(options: SubscribeOptions): Promise<Subscription> {
  const { taskId, random, isOver } = options;
  const events: SeenEvent[] = [];
  let cuts = 0;
  while (!isOver() && !hasEnded(events.at(-1))) {
    const most = cuts < options.cuts ? 1 + random.int(4) : Infinity;
    let taken = 0;
    try {
      for await (const event of readStream(options, events.at(-1)?.id)) {
        events.push(event);
        if ((taken += 1) >= most) break;
      }
    } catch (error) {
      // The task ended before the first stream began.
      if (events.length === 0 && String(error).includes("-32004")) break;
      // A program has a rate limit, and a dead process needs seconds to come back.
      await wait(300 + random.int(1_000));
    }
    if (taken > 0) cuts += 1;
  }
  return { taskId, events, cuts };
}

const hasEnded = (event: SeenEvent | undefined): boolean =>
  event !== undefined && /"TASK_STATE_(COMPLETED|FAILED|CANCELED)"/.test(event.result);

/** Yields the events of one stream. Throws when the process dies or refuses. */
async function* readStream({ taskId, url, headers }: SubscribeOptions, after?: number): AsyncGenerator<SeenEvent> {
  const over = new AbortController();
  const response = await fetch(url(), {
    method: "POST",
    headers: {
      ...headers,
      accept: "text/event-stream",
      ...(after !== undefined && { "last-event-id": String(after) }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id: taskId } }),
    signal: over.signal,
  });
  try {
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!isStream) throw new Error(await response.text());
    let rest = "";
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const id = /^id: (\d+(?:\.\d+)?)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data === undefined) continue;
        const { result, error } = JSON.parse(data) as { readonly result?: object; readonly error?: object };
        if (id === undefined || result === undefined) throw new Error(JSON.stringify(error ?? block));
        yield { id: Number(id), result: JSON.stringify(result) };
      }
    }
    throw new Error("The stream ended.");
  } finally {
    over.abort();
  }
}

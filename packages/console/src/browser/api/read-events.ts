import type { WorkflowRunEvent } from "@crosszone/contracts";
import { createParser } from "eventsource-parser";

/** The server sends at least a comment every 15 seconds. A stream that is silent for longer is dead. */
const silenceMs = 45_000;

/** Reads a stream of changes to its end. Calls `seen` with a revision after all events up to it. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  told: { readonly event: (event: WorkflowRunEvent) => void; readonly seen: (revision: number) => void },
): Promise<void> {
  const parser = createParser({
    onEvent: ({ data, id }) => {
      told.event(JSON.parse(data) as WorkflowRunEvent);
      if (id !== undefined && id !== "") told.seen(Number(id));
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const silence = setTimeout(() => void reader.cancel(), silenceMs);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

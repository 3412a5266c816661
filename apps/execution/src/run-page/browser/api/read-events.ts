import type { WorkflowRunEvent } from "@crosszone/contracts";
import { createParser } from "eventsource-parser";

/** The server says something every 15 seconds, if only a comment: a stream that is silent for longer is dead. */
const silenceMs = 45_000;

/** Reads a stream of changes to its end. `seen` is told the revision after which all before it have been told. */
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

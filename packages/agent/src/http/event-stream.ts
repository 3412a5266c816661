import type { StreamEvent } from "../a2a/types.ts";
import type { EventReader } from "../tasks/event-reader.ts";

/** How often a silent stream sends a comment, so that proxies keep it open, milliseconds. */
const keepAliveMs = 15_000;

/** Returns a response that streams events as Server-Sent Events, each when the client has taken the one before. */
export function eventStream(events: EventReader, write: (event: StreamEvent) => object): Response {
  const encoder = new TextEncoder();
  let next: Promise<StreamEvent | undefined> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        next ??= events.next();
        const event = await orSilence(next);
        if (event === silence) return controller.enqueue(encoder.encode(": keep-alive\n\n"));
        next = undefined;
        if (event === undefined) return controller.close();
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(write(event))}\n\n`));
      },
      cancel: () => events.close(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" },
  });
}

const silence = Symbol("silence");

async function orSilence<T>(work: Promise<T>): Promise<T | typeof silence> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof silence>((resolve) => (timer = setTimeout(resolve, keepAliveMs, silence)));
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

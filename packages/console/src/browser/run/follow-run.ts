import type { WorkflowRunEvent } from "@crosszone/contracts";
import { createParser } from "eventsource-parser";
import { ApiFault, isHopeless } from "../api.ts";
import { showConnection } from "../frame.ts";
import type { Place } from "../navigation.ts";
import { hasRunEnded } from "../words.ts";
import { inputsOf, shownRun, type ShownRun, withEvent } from "./shown-run.ts";

/** The server sends at least a comment every 15 seconds. A stream that is silent for longer is dead. */
const silenceMs = 45_000;

/** The pause before the stream is opened again: at rest, at first after its end, and at most after failures. */
const [restMs, firstPauseMs, longestPauseMs] = [10_000, 500, 15_000];

/** The shortest and the longest time between two reads of the graph, milliseconds. The API limits the requests of one token. */
const [graphEveryMs, longestQuietMs] = [1_000, 10_000];

/** Time between two reads of open input requests, seconds. A vote does not change the run. */
const voteTicks = 5;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads a stream of changes to its end. `seen` receives each, and the revision that it completes. */
async function readRunEvents(
  body: ReadableStream<Uint8Array>,
  seen: (event: WorkflowRunEvent, revision: number | undefined) => void,
): Promise<void> {
  const parser = createParser({
    onEvent: ({ data, id }) => seen(JSON.parse(data) as WorkflowRunEvent, id ? Number(id) : undefined),
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

/**
 * A run and its graph, which follow their changes until the place closes. Inputs, outputs and errors arrive with secrets removed. `changed` is
 * called after each change, and every second while the run is not final.
 */
export class FollowedRun {
  /** The latest data; undefined before the first read. */
  shown: ShownRun | undefined;
  /** Ends the pause before the stream is opened again. */
  wake = (): void => undefined;
  readonly #place: Place;
  readonly #runId: string;
  readonly #changed: (shown: ShownRun) => void;
  #revision: number | undefined;
  #failures = 0;
  #ticks = 0;
  #isDrawing = false;
  #isReading = false;
  /** What changed since the last read: the graph (false), or the run too. */
  #stale: boolean | undefined;

  constructor(place: Place, runId: string, changed: (shown: ShownRun) => void) {
    this.#place = place;
    this.#runId = runId;
    this.#changed = changed;
    const { signal } = place;
    const clock = setInterval(() => this.#tick(), 1_000);
    signal.addEventListener("abort", () => {
      clearInterval(clock);
      this.wake();
    });
    document.addEventListener("visibilitychange", () => this.wake(), { signal });
    void this.#follow();
  }

  /** Shows the run now, and again with its input requests, which change without it. */
  async showAll(): Promise<void> {
    this.#show();
    const { shown } = this;
    // Only steps of this type have requests.
    if (!shown?.graph.nodes.some(({ type, state }) => type === "human" && state !== "pending")) return;
    const { api, signal } = this.#place;
    const query = { run_id: shown.run.run_id, limit: 50 };
    const list = await api.call("listInputRequests", query, signal).catch(() => undefined);
    if (list) this.shown = { ...(this.shown ?? shown), inputs: list.input_requests };
    this.#show();
  }

  #show(): void {
    if (this.shown && !this.#place.signal.aborted) this.#changed(this.shown);
  }

  /** Draws before the next frame: changes arrive in hundreds, and each drawing visits every step. A hidden page has no frames. */
  #showSoon(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#show();
    });
  }

  #tick(): void {
    if (!this.shown || hasRunEnded(this.shown.run.state) || document.hidden) return;
    if (inputsOf(this.shown, true).length > 0 && ++this.#ticks % voteTicks === 0) void this.showAll();
    else this.#show();
  }

  /** Reads the graph, and the run if `isWhole`. Resolves with the revision of both. */
  async #read(isWhole: boolean): Promise<number> {
    const { api, signal } = this.#place;
    const run_id = this.#runId;
    const reading = isWhole ? api.call("getRun", { run_id, redact: true }, signal) : this.shown?.run;
    const [run, graph] = await Promise.all([reading, api.call("getRunGraph", { run_id }, signal)]);
    if (run === undefined) return 0;
    this.shown = isWhole || !this.shown ? shownRun(run, graph, this.shown) : { ...this.shown, graph };
    void this.showAll();
    // The stream delivers again what changed during both reads.
    return Math.min(run.revision, graph.revision);
  }

  /** Reads again, one read at a time. A failed read is repeated with growing pauses. */
  async #readAgain(isWhole: boolean): Promise<void> {
    this.#stale = isWhole || (this.#stale ?? false);
    if (this.#isReading) return;
    this.#isReading = true;
    for (let pauseMs = graphEveryMs; this.#stale !== undefined; await delay(pauseMs)) {
      const isRun: boolean = this.#stale;
      this.#stale = undefined;
      const error: unknown = await this.#read(isRun).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      if (this.#place.signal.aborted) return;
      if (isHopeless(error)) return this.#place.refused(error);
      if (error !== undefined) this.#stale = isRun || (this.#stale ?? false);
      pauseMs = error === undefined ? graphEveryMs : Math.min(pauseMs * 2, longestQuietMs);
    }
    this.#isReading = false;
  }

  /** Follows the stream. After a broken connection or a restart it continues from the last revision. */
  async #follow(): Promise<void> {
    const { signal } = this.#place;
    while (!signal.aborted) {
      const waitMs = await this.#readStream().catch((error: unknown) => this.#recover(error));
      if (signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.wake = resolve;
      const timer = setTimeout(resolve, waitMs * (0.75 + Math.random() / 2));
      await promise;
      clearTimeout(timer);
    }
  }

  /** Resolves at the end of the stream with the pause before the next, milliseconds. */
  async #readStream(): Promise<number> {
    const { api, signal } = this.#place;
    this.#revision ??= await this.#read(true);
    const headers = { "last-event-id": String(this.#revision) };
    const stream = { run_id: this.#runId, redact: true };
    const { body, status } = await api.open("watchRun", stream, { signal, headers });
    this.#failures = 0;
    const isOver = status === 204 || body === null;
    showConnection(isOver ? "at_rest" : "live");
    if (isOver) return restMs;
    await readRunEvents(body, (event, revision = this.#revision) => {
      this.#revision = revision;
      if (this.shown) this.shown = withEvent(this.shown, event);
      this.#showSoon();
      void this.#readAgain(event.type === "run");
    });
    return firstPauseMs;
  }

  #recover(error: unknown): number {
    if (this.#place.signal.aborted) return 0;
    if (isHopeless(error)) this.#place.refused(error);
    else showConnection("reconnecting");
    // The server doesn't know this revision: read everything again.
    if (error instanceof ApiFault && error.status === 400) this.#revision = undefined;
    return Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs);
  }
}

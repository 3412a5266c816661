import { setTimeout as delay } from "node:timers/promises";
import type { InputRequest, RunGraph, WorkflowRun } from "@crosszone/contracts";
import type { ApiClient } from "../api/api-client.ts";
import { isApiFailure } from "../api/failures.ts";
import { openInputs } from "../api/inputs-api.ts";
import type { Session } from "../program/session.ts";
import { createLiveDisplay, createPlainDisplay } from "./displays.ts";
import { isAskedSoon, waitLine } from "../text/input-text.ts";
import { momentText } from "../text/terminal-text.ts";
import { createRunSteps } from "./run-steps.ts";

/** The person left before the run ended. The message says what happens to the run. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

export interface FollowOptions {
  readonly runId: string;
  /** The first line. */
  readonly headline: string;
  /** What the first Ctrl-C does; the second one leaves. If absent, the first one leaves. */
  readonly stop?: { readonly sentence: string; readonly run: () => Promise<unknown> };
}

type Followed = Pick<ApiClient, "events" | "graph" | "run" | "inputs">;

/** Shows the progress of a run until it ends, and returns the ended run. Rejects with a `InterruptedError` when the person leaves. */
export async function followRun(api: Followed, session: Session, options: FollowOptions): Promise<WorkflowRun> {
  const { runId, headline, stop } = options;
  const steps = createRunSteps();
  const createDisplay = session.isLive ? createLiveDisplay : createPlainDisplay;
  const display = createDisplay(session.stderr, { lines: () => steps.lines(Date.now()) });
  const graph = createLatestGraph(
    () => api.graph(runId),
    (latest) => {
      steps.setGraph(latest);
      display.update();
      if (latest.nodes.some(({ type, state }) => type === "human" && state === "running")) void waits.look();
    },
  );
  const left = Promise.withResolvers<never>();
  const end = new AbortController();
  const say = (request: InputRequest): void =>
    display.say(waitLine(request, momentText(request.expires_at, session.stderr)));
  const waits = createWaits(() => openInputs(api.inputs, { run_id: runId }), { say, signal: end.signal });
  let interrupts = 0;
  const off = session.onInterrupt(() => {
    interrupts += 1;
    if (stop === undefined) return left.reject(new InterruptedError("the run continues"));
    if (interrupts > 1) return left.reject(new InterruptedError("the run may not have been canceled yet"));
    display.say(stop.sentence);
    stop.run().catch(left.reject);
  });

  async function watch(): Promise<WorkflowRun> {
    graph.refresh();
    for await (const event of api.events(runId, { signal: end.signal })) {
      steps.addEvent(event);
      display.update();
      graph.refresh();
    }
    graph.stop();
    steps.setGraph(await api.graph(runId));
    return api.run(runId);
  }

  try {
    display.say(headline);
    return await Promise.race([watch(), left.promise]);
  } finally {
    off();
    end.abort();
    graph.stop();
    display.end();
  }
}

/** Minimum time between two requests, milliseconds. All users of a token share its rate limit. */
const pauseMs = 1_000;

/** How often new requests are read until their people are asked, then they are shown anyway. */
const mostLooks = 4;

/** Says once of each open input request who decides it, when verification has asked them. */
function createWaits(
  open: () => Promise<readonly InputRequest[]>,
  { say, signal }: { readonly say: (request: InputRequest) => void; readonly signal: AbortSignal },
) {
  const said = new Set<string>();
  let isLooking = false;
  return {
    look: async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      for (let look = 1; look <= mostLooks && !signal.aborted; look += 1) {
        // A token without the scope sees the step, not who decides.
        const requests = (await open().catch(() => [])).filter(({ request_id }) => !said.has(request_id));
        for (const request of requests) {
          if (signal.aborted || (isAskedSoon(request) && look < mostLooks)) continue;
          said.add(request.request_id);
          say(request);
        }
        if (requests.every(({ request_id }) => said.has(request_id))) break;
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      }
      isLooking = false;
    },
  };
}

/** Keeps a run's graph up to date. A failed request is skipped; the next graph includes its changes. */
function createLatestGraph(read: () => Promise<RunGraph>, show: (graph: RunGraph) => void) {
  const end = new AbortController();
  let isWanted = false;
  let isFetching = false;

  async function fetchLatest(): Promise<void> {
    isFetching = true;
    while (isWanted && !end.signal.aborted) {
      isWanted = false;
      try {
        const graph = await read();
        if (!end.signal.aborted) show(graph);
      } catch (error) {
        if (!isApiFailure(error)) throw error;
      }
      await delay(pauseMs, undefined, { signal: end.signal }).catch(() => undefined);
    }
    isFetching = false;
  }

  return {
    /** Requests the graph soon. Calls in the meantime are merged. */
    refresh: (): void => {
      isWanted = true;
      if (!isFetching) void fetchLatest();
    },
    stop: () => end.abort(),
  };
}

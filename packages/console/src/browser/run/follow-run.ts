import { type ApiFault, isHopeless } from "../api.ts";
import { showConnection } from "../frame.ts";
import { hasRunEnded } from "../words.ts";
import { type RunApi, watchRun } from "./run-api.ts";
import { inputsOf, shownRun, type ShownRun, withEvent } from "./shown-run.ts";

const longestPauseMs = 10_000;

/**
 * Returns a function that calls `call` at most once per `everyMs`, one call at a time, and once more after the last
 * request. A request of `true` survives later requests of `false`. A failed call is retried with growing backoff.
 */
function throttled(everyMs: number, call: (isWhole: boolean) => Promise<void>): (isWhole: boolean) => void {
  let isBusy = false;
  let wanted: boolean | undefined;

  async function work(): Promise<void> {
    isBusy = true;
    let pauseMs = everyMs;
    while (wanted !== undefined) {
      const isWhole = wanted;
      wanted = undefined;
      const hasFailed = await call(isWhole).then(
        () => false,
        () => true,
      );
      if (hasFailed) wanted = isWhole || (wanted ?? false);
      pauseMs = hasFailed ? Math.min(pauseMs * 2, longestPauseMs) : everyMs;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isBusy = false;
  }

  return (isWhole) => {
    wanted = isWhole || (wanted ?? false);
    if (!isBusy) void work();
  };
}

/**
 * Returns a function that runs `call` once before the next frame, however often it is called. `request` is
 * `requestAnimationFrame`: a hidden page has no frames and draws nothing.
 */
function atNextFrame(call: () => void, request: (frame: () => void) => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    request(() => {
      isWaiting = false;
      call();
    });
  };
}

/** Shortest time between two reads of the graph, milliseconds. The API limits the requests of one token. */
const graphEveryMs = 1_000;

/** Time between two reads of open input requests, seconds. A vote does not change the run. */
const voteTicks = 5;

interface RunFollower {
  readonly changed: (shown: ShownRun) => void;
  readonly refused: (fault: ApiFault) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads a run and its graph, and follows their changes. `changed` is called after each change, and every second while the run is not final;
 * `refused` when the API no longer allows access. After that, and when `signal` aborts, nothing is read any more. `current` returns the latest data, undefined before the first read; `wake` ends the
 * pause before the next attempt to read.
 */
export function followRun(api: RunApi, runId: string, { changed, refused, signal }: RunFollower) {
  let shown: ShownRun | undefined;
  let isOver = false;

  const show = (): void => {
    if (shown && !isOver) changed(shown);
  };

  async function readAll(): Promise<number> {
    const [run, graph] = await Promise.all([api.run(runId), api.graph(runId)]);
    if (isOver) return 0;
    shown = shownRun(run, graph, shown);
    void showAll();
    // The watch delivers again what changed during both reads.
    return Math.min(run.revision, graph.revision);
  }

  async function readGraph(): Promise<void> {
    const graph = await api.graph(runId);
    if (shown) shown = { ...shown, graph };
    void showAll();
  }

  /** Shows the run now, and again with its input requests, which change without it. */
  async function showAll(): Promise<void> {
    show();
    if (!shown || isOver) return;
    const inputs = await inputsNow(api, shown);
    shown = { ...shown, inputs };
    show();
  }

  function stop(): void {
    isOver = true;
    watch.stop();
    clearInterval(clock);
  }

  function end(fault: ApiFault): void {
    if (isOver) return;
    stop();
    refused(fault);
  }

  // Changes arrive in hundreds, and each drawing visits every step.
  const showSoon = atNextFrame(show, requestAnimationFrame);
  const readAgain = throttled(graphEveryMs, async (withRun) => {
    if (isOver) return;
    try {
      await (withRun ? readAll() : readGraph());
    } catch (error) {
      if (!isHopeless(error)) throw error;
      end(error);
    }
  });
  const watch = watchRun(api, runId, {
    readAll,
    changed: (event) => {
      if (shown) shown = withEvent(shown, event);
      showSoon();
      readAgain(event.type === "run");
    },
    connected: showConnection,
    refused: end,
  });
  let ticks = 0;
  const clock = setInterval(() => {
    if (!shown || hasRunEnded(shown.run.state) || document.hidden) return;
    if (inputsOf(shown, true).length > 0 && ++ticks % voteTicks === 0) void showAll();
    else show();
  }, 1_000);
  document.addEventListener("visibilitychange", watch.wake, { signal });
  signal.addEventListener("abort", stop);
  return { current: (): ShownRun | undefined => shown, wake: watch.wake, showAll };
}

/** Reads what a run asks of people. Never rejects: what can't be read stays as it was. */
async function inputsNow(api: RunApi, { graph, inputs, run }: ShownRun): Promise<ShownRun["inputs"]> {
  // Only steps of this type have requests.
  if (graph.nodes.every((node) => node.type !== "human" || node.state === "pending")) return inputs;
  return api.inputs(run.run_id).then(
    (list) => list.input_requests,
    () => inputs,
  );
}

import { isHopeless, type ApiFault, type RunApi } from "../api/run-api.ts";
import { watchRun } from "../api/watch-run.ts";
import { atNextFrame, throttled } from "../throttled.ts";
import { showConnection } from "../frame.ts";
import { isFinal } from "../text/step-words.ts";
import { inputsOf, shownRun, withEvent, type ShownRun } from "./shown-run.ts";

/** Shortest time between two reads of the graph, milliseconds. The API limits the requests of one token. */
const graphEveryMs = 1_000;

/** Time between two reads of open input requests, seconds. A vote does not change the run. */
const voteTicks = 5;

export interface RunFollower {
  /** Called after each change, and every second while the run is not final. */
  readonly changed: (shown: ShownRun) => void;
  /** The API no longer allows access: nothing is read any more. */
  readonly refused: (fault: ApiFault) => void;
}

/**
 * Reads a run and its graph, and follows their changes. `current` returns the latest data, undefined before the first read; `wake` ends the
 * pause before the next attempt to read.
 */
export function followRun(api: RunApi, runId: string, { changed, refused }: RunFollower) {
  let shown: ShownRun | undefined;
  let isOver = false;

  const show = (): void => {
    if (shown && !isOver) changed(shown);
  };

  async function readAll(): Promise<number> {
    const [run, graph] = await Promise.all([api.run(runId), api.graph(runId)]);
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
    const people = await peopleOf(api, shown);
    shown = { ...shown, ...people };
    show();
  }

  function end(fault: ApiFault): void {
    if (isOver) return;
    isOver = true;
    watch.stop();
    clearInterval(clock);
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
    if (!shown || isFinal(shown.run.state) || document.hidden) return;
    if (inputsOf(shown, true).length > 0 && ++ticks % voteTicks === 0) void showAll();
    else show();
  }, 1_000);
  document.addEventListener("visibilitychange", watch.wake);
  return { current: (): ShownRun | undefined => shown, wake: watch.wake, showAll };
}

/** Reads what a run asks of people, and once the task that it belongs to. Never rejects: what can't be read stays as it was. */
async function peopleOf(api: RunApi, { graph, inputs, run, task }: ShownRun): Promise<Partial<ShownRun>> {
  const { run_id: runId, state } = run;
  // Only steps of this type have requests.
  const asks = graph.nodes.some((node) => node.type === "human" && node.state !== "pending");
  const [list, found] = await Promise.all([
    asks ? api.inputs(runId).catch(() => undefined) : undefined,
    // A task that has ended no longer says who asked.
    task === undefined && !isFinal(state) ? api.task(runId).catch(() => null) : task,
  ]);
  return { inputs: list?.input_requests ?? inputs, task: found };
}

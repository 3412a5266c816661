import type { WorkflowRun } from "@crosszone/contracts";
import { isHopeless, type ApiFault, type RunApi } from "../api/run-api.ts";
import { watchRun } from "../api/watch-run.ts";
import { atNextFrame, throttled } from "../throttled.ts";
import { showConnection } from "../frame.ts";
import { isFinal } from "../text/step-words.ts";
import { inputsOf, shownRun, withEvent, type ShownRun } from "./shown-run.ts";

/** Shortest time between two reads of the graph, milliseconds. The API limits the requests of one token. */
const graphEveryMs = 1_000;

/** Time between two reads of open input requests, milliseconds. A vote does not change the run. */
const inputsEveryMs = 5_000;

export interface RunFollower {
  /** Called after each change, and every second while the run is not final. */
  readonly changed: (shown: ShownRun) => void;
  /** The API no longer allows access: nothing is read any more. */
  readonly refused: (fault: ApiFault) => void;
}

export interface FollowedRun {
  /** Returns the latest data; undefined before the first read. */
  readonly current: () => ShownRun | undefined;
  /** Ends the pause before the next attempt to read. */
  readonly wake: () => void;
  /** Reads what changes without the run: its input requests. */
  readonly readInputs: () => Promise<void>;
}

/** Reads a run and its graph, and follows their changes. */
export function followRun(api: RunApi, runId: string, { changed, refused }: RunFollower): FollowedRun {
  let shown: ShownRun | undefined;
  let isOver = false;
  let isTaskRead = false;

  const show = (): void => {
    if (shown && !isOver) changed(shown);
  };

  async function readAll(): Promise<number> {
    const [run, graph] = await Promise.all([api.run(runId), api.graph(runId)]);
    shown = shownRun(run, graph, shown);
    show();
    void readInputs();
    void readTask(run);
    // The watch delivers again what changed during both reads.
    return Math.min(run.revision, graph.revision);
  }

  async function readGraph(): Promise<void> {
    const graph = await api.graph(runId);
    if (shown) shown = { ...shown, graph };
    show();
    void readInputs();
  }

  /** Only steps of this type have requests. Without an answer of the zone, the page shows the latest ones. */
  async function readInputs(): Promise<void> {
    if (isOver || !shown?.graph.nodes.some(({ type, state }) => type === "human" && state !== "pending")) return;
    const list = await api.inputs(runId).catch(() => undefined);
    if (shown && list) shown = { ...shown, inputs: list.input_requests };
    show();
  }

  /** A closed task no longer says who asked. */
  async function readTask({ state }: WorkflowRun): Promise<void> {
    if (isTaskRead || isFinal(state)) return;
    isTaskRead = true;
    const task = await api.task(runId).catch(() => undefined);
    if (shown && task) shown = { ...shown, task };
    show();
  }

  function end(fault: ApiFault): void {
    if (isOver) return;
    isOver = true;
    watch.stop();
    clearInterval(clock);
    clearInterval(votes);
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
  const clock = setInterval(() => {
    if (shown && !isFinal(shown.run.state) && !document.hidden) show();
  }, 1_000);
  const votes = setInterval(() => {
    if (shown && inputsOf(shown, true).length > 0 && !document.hidden) void readInputs();
  }, inputsEveryMs);
  document.addEventListener("visibilitychange", watch.wake);
  return { current: () => shown, wake: watch.wake, readInputs };
}

import { h } from "preact";
import { isHopeless, type ApiFault } from "../api/api-fault.ts";
import type { RunApi, RunChange } from "../api/run-api.ts";
import { watchRun } from "../api/watch-run.ts";
import { atNextFrame } from "../at-next-frame.ts";
import { byId, showConnection, showContent } from "../frame.ts";
import { GraphDrawing } from "../graph/graph-drawing.ts";
import { isFinal, stateWords } from "../text/state-words.ts";
import { throttled } from "../throttled.ts";
import { changeRun } from "./change-run.ts";
import { runHeader } from "./run-header.ts";
import { selectionOf, type Selection } from "./selection.ts";
import { readSelection, writeSelection } from "./selection-in-address.ts";
import { shownRun, withEvent, type ShownRun } from "./shown-run.ts";
import { stepPanel, type StepPanelDeps } from "./step-panel.ts";
import { stepTitle } from "./step-title.ts";
import { timeline } from "./timeline.ts";

/** Shortest time between two reads of the graph, milliseconds. The API limits the requests of one token. */
const graphEveryMs = 1_000;

/** Shows a run and follows it. Calls `refused` when the API no longer allows access. */
export function openRunView(api: RunApi, runId: string, refused: (fault: ApiFault) => void): void {
  let shown: ShownRun | undefined;
  let selection: Selection | undefined = readSelection();
  let said = "";
  let isLeft = false;

  const deps: StepPanelDeps = {
    goTo: (path) => select(selectionOf(path)),
    titleOf: (path) => (shown ? stepTitle(shown.run.definition, path) : path),
    select,
    attempts: (path) => api.attempts(runId, path),
    now: api.now,
  };

  async function change(what: RunChange): Promise<void> {
    if (!shown) return;
    said = await changeRun(api, shown.run, what);
    watch.wake();
    show();
  }

  function select(next: Selection | undefined): void {
    selection = next;
    writeSelection(next);
    show();
    if (next && matchMedia("(width < 60rem)").matches) byId("panel").scrollIntoView({ block: "start" });
  }

  function show(): void {
    if (!shown || isLeft) return;
    const { graph, run } = shown;
    const now = api.now();
    const onSelect = (stepId: string): void => select({ stepId });
    const selected = selection?.stepId;
    document.title = `${run.name} · ${run.state.replace("_", " ")} · Crosszone`;
    showContent(
      h(
        "div",
        { class: "run" },
        runHeader(run, { ...deps, now, said, onChange: (what) => void change(what) }),
        h(
          "section",
          { class: "surface steps", "aria-labelledby": "steps" },
          h("h2", { id: "steps" }, "Steps"),
          h("div", { class: "picture", "data-testid": "picture" }, h(GraphDrawing, { graph, selected, onSelect })),
        ),
        stepPanel(shown, selection, deps),
        timeline(shown, { selected, now, onSelect }),
      ),
    );
  }

  // Changes arrive in hundreds, and each drawing visits every step.
  const showSoon = atNextFrame(show, requestAnimationFrame);

  async function readAll(): Promise<number> {
    const [run, graph] = await Promise.all([api.run(runId), api.graph(runId)]);
    announce(shown?.run.state, run.state);
    shown = shownRun(run, graph, shown);
    show();
    // The watch delivers again what changed during both reads.
    return Math.min(run.revision, graph.revision);
  }

  async function readGraph(): Promise<void> {
    const graph = await api.graph(runId);
    if (shown) shown = { ...shown, graph };
    show();
  }

  const readAgain = throttled(graphEveryMs, async (withRun) => {
    if (isLeft) return;
    try {
      await (withRun ? readAll() : readGraph());
    } catch (error) {
      if (!isHopeless(error)) throw error;
      leave(error);
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
    refused: leave,
  });

  const clock = setInterval(() => {
    if (shown && !isFinal(shown.run.state) && !document.hidden) show();
  }, 1_000);
  function leave(fault: ApiFault): void {
    if (isLeft) return;
    isLeft = true;
    watch.stop();
    clearInterval(clock);
    refused(fault);
  }

  addEventListener("hashchange", () => {
    const named = readSelection();
    if (named) select(named);
  });
  document.addEventListener("visibilitychange", () => watch.wake());
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && selection && !document.querySelector("dialog[open]")) select(undefined);
  });
}

function announce(before: string | undefined, state: keyof typeof stateWords): void {
  if (before !== state) byId("announcement").textContent = `Run ${stateWords[state].toLowerCase()}`;
}

import type { InputRequest } from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";
import { h } from "preact";
import type { ApiFault, RunApi, RunChange } from "../api/run-api.ts";
import { byId, showContent } from "../frame.ts";
import { GraphDrawing } from "../graph/graph-drawing.ts";
import { stateWords } from "../text/step-words.ts";
import { changeRun, withdrawInput } from "./change-run.ts";
import { followRun } from "./follow-run.ts";
import { runHeader } from "./run-header.ts";
import type { ShownRun } from "./shown-run.ts";
import { stepPanel, type StepPanelDeps } from "./step-panel.ts";
import { timeline } from "./timeline.ts";
import { selectionOf, stepTitle, type Selection } from "./selection.ts";

/** Shows a run and follows it. Calls `refused` when the API no longer allows access. */
export function openRunView(api: RunApi, runId: string, refused: (fault: ApiFault) => void): void {
  let selection: Selection | undefined = readSelection();
  let said = "";
  let announced: string | undefined;
  const run = followRun(api, runId, { changed: show, refused });
  const showAgain = (): void => {
    const shown = run.current();
    if (shown) show(shown);
  };

  const deps: StepPanelDeps = {
    goTo: (path) => select(selectionOf(path)),
    titleOf: (path) => {
      const definition = run.current()?.run.definition;
      return definition ? stepTitle(definition.steps, path) : path;
    },
    select,
    attempts: (path) => api.attempts(runId, path),
    now: api.now,
    onWithdraw: (request) => void withdraw(request),
  };

  async function change(what: RunChange): Promise<void> {
    const shown = run.current();
    if (!shown) return;
    said = await changeRun(api, shown.run, what);
    run.wake();
    showAgain();
  }

  async function withdraw(request: InputRequest): Promise<void> {
    said = await withdrawInput(api, request);
    await run.showAll();
  }

  function select(next: Selection | undefined): void {
    selection = next;
    writeSelection(next);
    showAgain();
    if (next && matchMedia("(width < 60rem)").matches) byId("panel").scrollIntoView({ block: "start" });
  }

  function show(shown: ShownRun): void {
    const { state } = shown.run;
    if (announced !== state) {
      byId("announcement").textContent = `Run ${stateWords[state].toLowerCase()}`;
      said = "";
    }
    announced = state;
    showRun(shown, selection, { ...deps, said, onChange: (what) => void change(what) });
  }

  addEventListener("hashchange", () => {
    const named = readSelection();
    if (named) select(named);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && selection && !document.querySelector("dialog[open]")) select(undefined);
  });
}

interface RunViewDeps extends StepPanelDeps {
  readonly said: string;
  readonly onChange: (what: RunChange) => void;
}

function showRun(shown: ShownRun, selection: Selection | undefined, deps: RunViewDeps): void {
  const { graph, run } = shown;
  const now = deps.now();
  const onSelect = (stepId: string): void => deps.select({ stepId });
  const selected = selection?.stepId;
  document.title = `${visibleLine(run.name)} · ${run.state.replace("_", " ")} · Crosszone`;
  showContent(
    h(
      "div",
      { class: "run" },
      runHeader(shown, { ...deps, now }),
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

/** Reads the selection from the address (`#step=each[3].slips`), so that it can be shared. */
function readSelection(): Selection | undefined {
  const path = new URLSearchParams(location.hash.slice(1)).get("step");
  return path === null || path === "" ? undefined : selectionOf(path);
}

/** Writes the selection into the address, without an entry in the browser's history. */
function writeSelection(selection: Selection | undefined): void {
  const hash = selection ? `#${new URLSearchParams({ step: selection.path ?? selection.stepId }).toString()}` : "";
  history.replaceState(null, "", location.pathname + location.search + hash);
}

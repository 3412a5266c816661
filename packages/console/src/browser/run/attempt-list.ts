import type { StepAttempts, WorkflowStepRecord } from "@crosszone/contracts";
import { h } from "../element.ts";
import { stateChip } from "../state-mark.ts";
import { spanText } from "../text/duration-text.ts";
import { jsonView } from "./json-view.ts";
import { problemSection } from "./problem-section.ts";

export interface AttemptListDeps {
  readonly attempts: (path: string) => Promise<StepAttempts>;
  /** The server's time, Unix milliseconds. */
  readonly now: () => number;
}

/** Lists all attempts of an instance. They are fetched when the list is opened. */
export function attemptList(
  { attempt, path }: WorkflowStepRecord,
  { attempts: read, now }: AttemptListDeps,
): HTMLElement {
  const body = h("div", {}, "Reading…");
  const details = h("details", { class: "part" }, h("summary", {}, `${String(attempt)} attempts`), body);
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    read(path).then(
      ({ attempts }) => body.replaceChildren(...attempts.map((each) => attemptView(each, now()))),
      (error: unknown) => body.replaceChildren(h("p", { role: "alert" }, (error as Error).message)),
    );
  });
  return details;
}

function attemptView({ attempt, error, output, state, ...span }: WorkflowStepRecord, now: number): HTMLElement {
  const took = spanText(span, now);
  return h(
    "article",
    { class: "attempt" },
    h(
      "h4",
      {},
      `Attempt ${String(attempt)}`,
      stateChip(state),
      took !== undefined && h("span", { class: "muted" }, took),
    ),
    error && problemSection(error),
    output !== undefined && jsonView(output),
  );
}

import type { StepAttempts, WorkflowStepRecord } from "@crosszone/contracts";
import { h, type ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { stateChip } from "../state-mark.ts";
import { spanText } from "../text/step-words.ts";
import { JsonView, problemSection } from "./values.ts";

export interface AttemptListDeps {
  readonly attempts: (path: string) => Promise<StepAttempts>;
  /** The server's time, Unix milliseconds. */
  readonly now: () => number;
}

/** Lists all attempts of an instance, with the error of each. They are fetched when the list is opened, as it is at first. */
export function AttemptList({
  instance: { attempt, path },
  attempts: read,
  now,
}: AttemptListDeps & { readonly instance: WorkflowStepRecord }): ComponentChild {
  const [shown, setShown] = useState<readonly ComponentChild[]>([h("p", null, "Reading…")]);
  const opened = ({ currentTarget }: Event): void => {
    if (!(currentTarget as HTMLDetailsElement).open) return;
    read(path).then(
      ({ attempts }) => setShown(attempts.map((each) => attemptView(each, now()))),
      (error: unknown) => setShown([h("p", { role: "alert" }, (error as Error).message)]),
    );
  };
  return h(
    "details",
    { class: "part", open: true, onToggle: opened },
    h("summary", null, `${String(attempt)} attempts`),
    h("div", null, shown),
  );
}

function attemptView({ attempt, error, output, state, ...span }: WorkflowStepRecord, now: number): ComponentChild {
  const took = spanText(span, now);
  return h(
    "article",
    { class: "attempt", key: attempt },
    h(
      "h4",
      null,
      `Attempt ${String(attempt)}`,
      stateChip(state),
      took !== undefined && h("span", { class: "muted" }, took),
    ),
    error && problemSection(error, { at: span.ended_at }),
    output !== undefined && h(JsonView, { value: output }),
  );
}

import type { WorkflowObserver } from "../runner/workflow-observer.ts";

/** The calls of an observer, by name. */
export type Told = readonly (readonly [name: keyof WorkflowObserver, ...told: readonly unknown[]])[];

/** An observer that notes what it is told. */
export function tellingObserver(): { readonly observer: WorkflowObserver; readonly told: Told } {
  const told: [keyof WorkflowObserver, ...unknown[]][] = [];
  const tell =
    (name: keyof WorkflowObserver) =>
    (...what: readonly unknown[]): void =>
      void told.push([name, ...what]);
  const observer: WorkflowObserver = {
    runStarted: tell("runStarted"),
    runReopened: tell("runReopened"),
    runEnded: tell("runEnded"),
    stepChanged: tell("stepChanged"),
    runBroken: tell("runBroken"),
    runUnreadable: tell("runUnreadable"),
    resultUnreadable: tell("resultUnreadable"),
    storeFailed: tell("storeFailed"),
    timerFailed: tell("timerFailed"),
  };
  return { observer, told };
}

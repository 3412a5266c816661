import { createGauge, type MetricsRegistry } from "@crosszone/service-kit";
import type { Inbox } from "../inbox/inbox.ts";
import type { RunningTasks } from "../tasks/running-tasks.ts";

/** Shows how much there is to do now: what is in work, and what waits. */
export function observeLoad(
  registry: MetricsRegistry,
  { running, inbox }: { readonly running: RunningTasks; readonly inbox: Inbox },
): void {
  createGauge(registry, {
    name: "questions_in_work",
    help: "Questions that are being answered now",
    labels: {},
    read: () => [{ labels: {}, value: running.size }],
  });
  createGauge(registry, {
    name: "inbox_waiting",
    help: "Records that wait to be worked on",
    labels: {},
    read: async () => [{ labels: {}, value: (await inbox.load()).waiting }],
  });
}

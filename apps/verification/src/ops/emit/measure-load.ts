import { createGauge, type MetricsRegistry } from "@crosszone/service-kit";
import type { RunningTasks } from "../../answering/tasks/running-tasks.ts";
import type { InboxLoad } from "../../inbox/inbox-queries.ts";
import type { Inbox } from "../../inbox/inbox.ts";

/** Measures the inbox, for all processes, and the questions that this process is answering. */
export function measureLoad(registry: MetricsRegistry, inbox: Inbox, running: RunningTasks): void {
  createGauge(registry, "questions_in_work", () => running.size);
  // Both gauges of one scrape share one query.
  let reading: Promise<InboxLoad> | undefined;
  const load = (): Promise<InboxLoad> => (reading ??= inbox.load().finally(() => (reading = undefined)));
  createGauge(registry, "inbox_questions", {
    labels: { state: ["waiting", "in_work", "parked"] },
    read: async () => {
      const { waiting, inWork, parked } = await load();
      return [
        { labels: { state: "waiting" }, value: waiting },
        { labels: { state: "in_work" }, value: inWork },
        { labels: { state: "parked" }, value: parked },
      ];
    },
  });
  createGauge(registry, "inbox_oldest_age_seconds", async () => (await load()).oldestMs / 1_000);
}

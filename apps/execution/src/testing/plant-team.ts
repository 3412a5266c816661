import { randomUUID } from "node:crypto";
import type { TaskStore } from "../tasks/task-store.ts";
import type { HeldTask } from "../tasks/task.ts";

/** What stands in all that `plantTeam` keeps. */
export const plantedWords = (team: string): string => `only-${team}-wrote-this`;

/** Keeps two tasks of a team, through the store: one that runs, which it gives, and one that was answered. */
export async function plantTeam(store: TaskStore, team: string): Promise<HeldTask> {
  const words = plantedWords(team);
  const [running, ended] = await Promise.all([plantTask(store, team), plantTask(store, team)]);
  const { task_id } = ended.task;
  const answer = { status: "success", response_text: words, task_id, agent: "builtin" } as const;
  await store.end(ended, "success", { answer });
  return running;
}

async function plantTask(store: TaskStore, team: string): Promise<HeldTask> {
  const words = plantedWords(team);
  const params = { channel: words, text: words, team_id: team };
  const fresh = {
    task_id: randomUUID(),
    caller: "verification",
    key: JSON.stringify(randomUUID()),
    fingerprint: "print",
    correlation_id: randomUUID(),
    agent: "builtin",
    params,
    deadline_ms: 60_000,
    handle: `czh_${words}`,
  };
  const { task } = await store.create(fresh);
  return { task: { ...task, params }, attempt: 1 };
}

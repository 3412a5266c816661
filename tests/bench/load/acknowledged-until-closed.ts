import type { Socket } from "node:net";
import type { RequestTemplate } from "./http-exchange.ts";
import { keepBusy } from "./keep-busy.ts";

/** Keeps all sockets busy until the server is gone. Gives the id of each task that an answer named. Throws for any other answer. */
export async function acknowledgedUntilClosed(
  sockets: readonly Socket[],
  template: RequestTemplate,
): Promise<string[]> {
  const taskIds: string[] = [];
  let other: string | undefined;
  const onAnswer = ({ status, body }: { status: number; body: string }): boolean => {
    const taskId = status === 200 ? /"task_id":"([^"]+)"/.exec(body)?.[1] : undefined;
    if (taskId === undefined) other ??= `${status} ${body.slice(0, 500)}`;
    else taskIds.push(taskId);
    return taskId !== undefined;
  };
  await Promise.allSettled(sockets.map((socket) => keepBusy(socket, template, onAnswer)));
  if (other !== undefined) throw new Error(`an answer that acknowledges nothing: ${other}`);
  return taskIds;
}

import type { DevSlack, Message } from "@crosszone/dev-slack";
import { vi } from "vitest";

/** Returns the ids of a message's buttons with this label. */
export function actionIds({ blocks }: Pick<Message, "blocks">, label: string): string[] {
  const ids = (one: unknown): string[] => {
    if (typeof one !== "object" || one === null) return [];
    const { action_id, text } = one as { readonly action_id?: string; readonly text?: { readonly text?: string } };
    const own = action_id !== undefined && text?.text === label ? [action_id] : [];
    return [...own, ...Object.values(one).flatMap(ids)];
  };
  return ids(blocks);
}

/** Types `/agents schedule` and fills in the modal. `fields` changes fields by their block. */
export async function fillSchedule(
  { control }: Pick<DevSlack, "control">,
  { user, channel, ...more }: { readonly user: string; readonly channel: string; readonly [block: string]: string },
) {
  // On a busy machine, Slack's trigger can expire before the modal opens.
  await vi.waitFor(async () => {
    await control.runCommand({ user, channel, text: "/agents schedule" });
    await vi.waitUntil(() => control.views(user).length > 0, 4_000);
  });
  const view_id = control.views(user)[0]?.id ?? "";
  const fields = async (values: Readonly<Record<string, string>>): Promise<void> => {
    for (const [block_id, value] of Object.entries(values))
      await control.act({ view_id, user, block_id, action_id: "value", value });
  };
  await fields({ name: "Daily report", answer: "agents", ...more });
  return { view_id, fields };
}

/** Types `/agents schedules`, and presses a button of the list. Resolves with the list. */
export async function pressSchedule(
  { control }: Pick<DevSlack, "control">,
  { user, change }: { readonly user: string; readonly change?: string },
): Promise<Message> {
  const { message } = await control.runCommand({ user, channel: "general", text: "/agents schedules" });
  const list = await control.waitForMessage(({ ts, text }) => ts > message.ts && text.startsWith("Your schedules"));
  const [action_id = ""] = change === undefined ? [] : actionIds(list, change);
  if (change !== undefined) await control.act({ user, channel: list.channel, ts: list.ts, action_id });
  return list;
}

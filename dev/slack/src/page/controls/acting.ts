import type { Act, Interaction } from "../../protocol/interactivity.ts";
import { h } from "../frame/element.ts";
import { controlApi } from "../state/live-updates.ts";

/** A message or a modal in front of the acting user. */
export type Surface = Pick<Act, "user" | "channel" | "ts" | "view_id">;

/** An element of a surface. */
export type ActIds = Required<Pick<Act, "block_id" | "action_id">>;

/** Returns the name of a surface: the `data-surface` of each of its drawings. */
export const surfaceName = ({ user, channel, ts, view_id }: Surface): string =>
  [user, view_id ?? `${channel}/${ts}`].join("/");

const queues = new Map<string, Promise<unknown>>();
const chosen = new Map<string, string[]>();

const elementName = (surface: Surface, { block_id, action_id }: ActIds): string =>
  JSON.stringify([surfaceName(surface), block_id, action_id]);

/** Returns what the person last chose or typed in an element, which survives a redraw; undefined if nothing. */
export const lastValues = (surface: Surface, ids: ActIds): string[] | undefined =>
  chosen.get(elementName(surface, ids));

/** Presses a button, chooses or types; `isQuiet` if Slack keeps the value for the submission and does not send it. */
export async function act(surface: Surface, what: ActIds & Pick<Act, "value">, isQuiet: boolean): Promise<void> {
  if (what.value !== undefined) chosen.set(elementName(surface, what), [what.value].flat());
  await deliver(surface, () => controlApi.act({ ...surface, ...what }), isQuiet);
}

/**
 * Sends a request after the earlier ones of the surface. Meanwhile the surface is busy, and afterwards it says what went wrong. Resolves
 * with undefined if the local Slack refused the request.
 */
export async function deliver(
  surface: Surface,
  request: () => Promise<Interaction>,
  isQuiet = false,
): Promise<Interaction | undefined> {
  const name = surfaceName(surface);
  const sent = (queues.get(name) ?? Promise.resolve()).then(request);
  const ended = sent.catch(() => undefined);
  queues.set(name, ended);
  if (!isQuiet) show(name, { isBusy: true, warning: "" });
  try {
    const { warning } = await sent;
    if (warning !== undefined) show(name, { warning: warningSentence(warning) });
  } catch (error) {
    show(name, { warning: error instanceof Error ? error.message : "This failed." });
  }
  if (queues.get(name) === ended) show(name, { isBusy: false });
  return ended;
}

const drawingsOf = (name: string): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`[data-surface="${CSS.escape(name)}"]`),
];

/** A button of a busy surface stays focusable, so that a person with a keyboard keeps the place. */
function show(name: string, { isBusy, warning }: { isBusy?: boolean; warning?: string }): void {
  for (const drawing of drawingsOf(name)) {
    if (warning !== undefined) drawing.querySelector(".act-warning")?.replaceChildren(warning);
    if (isBusy === undefined) continue;
    drawing.setAttribute("aria-busy", String(isBusy));
    for (const button of drawing.querySelectorAll("button.control"))
      button.setAttribute("aria-disabled", String(isBusy));
  }
}

/** Returns true while something that a person did on the surface is being delivered. */
export const isBusy = (surface: Surface): boolean =>
  drawingsOf(surfaceName(surface)).some((drawing) => drawing.getAttribute("aria-busy") === "true");

/** Draws the place of the surface's warning sign. */
export const drawWarning = (): HTMLElement =>
  h("p", { class: "act-warning", role: "alert", "data-testid": "act-warning" });

/** Says why the app did not take what a person did. */
export function warningSentence(code: string): string {
  if (code === "operation_timeout") return "The app did not respond in time. Slack does not send this again.";
  if (code === "dispatch_failed") return "The app could not be reached, or responded with an error.";
  return `Slack did not accept the app's response: ${code}.`;
}

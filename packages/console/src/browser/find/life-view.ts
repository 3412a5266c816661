import type { MessageAct, MessageLife } from "@crosszone/contracts";
import { shortId, showUnseen, visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, type ComponentChildren, h } from "preact";
import { confirmed } from "../dialog.ts";
import { copyable, factList, saidLine, showContent, stateChip, stateMark, threadLink, timeMark } from "../frame.ts";
import { keepFresh } from "../list.ts";
import type { Place } from "../navigation.ts";
import type { BulkChoice } from "../selection.ts";
import { may } from "../session.ts";
import { clockText, durationText, type NameOf, personText, stateWords } from "../words.ts";
import { lifeStages, type Stage } from "./life-stages.ts";
import { amountOfCalls, messageLooks, messageTitle, whyUnanswered, taskLooks } from "./message-words.ts";

const refreshMs = 3_000;
/** Verification can still report a message whose task has ended. */
const unreportedMs = 30_000;

/** What an operator can do with parked messages. Verification does it, a few seconds later. */
export const messageActs: readonly BulkChoice[] = [
  {
    action: "message.replay",
    words: "Replay",
    effect:
      "Verification works on it again. If its answer is stored, only the delivery is repeated. Fix the cause first.",
    look: "primary",
  },
  {
    action: "message.discard",
    words: "Discard",
    effect: "Verification deletes it, and it is never answered. Its author is not told.",
    look: "dangerous",
  },
];

/** Says what verification has been asked to do; undefined if that is nothing. */
export const pendingText = (act: MessageAct | undefined): string | undefined =>
  act && `${act === "replay" ? "Replay" : "Discard"} requested; waiting for verification.`;

/** The box that finds messages. `text`: what was sought. */
export function findForm({ go }: Place, text: string): ComponentChild {
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const sought = (new FormData(event.currentTarget as HTMLFormElement).get("find") as string).trim();
    go(sought === "" ? "/console" : `/console?find=${encodeURIComponent(sought)}`);
  }
  return h(
    "form",
    { class: "find", role: "search", "aria-label": "Find a message", onSubmit: submit },
    h("input", {
      type: "search",
      name: "find",
      "aria-label": "Find",
      defaultValue: text,
      placeholder: "Slack link, reference, person or #channel and time, run or task",
      spellcheck: false,
      autocomplete: "off",
      autofocus: text === "",
    }),
    h("button", { type: "submit", class: "primary" }, "Find"),
  );
}

/** Shows the life of a message, and keeps it fresh while the message is open. */
export function openLife(place: Place, reference: string): void {
  const { api, session, signal } = place;
  document.title = `Message ${shortId(reference)} · Crosszone`;
  let refusal = "";

  async function act({ action, effect, look, words }: BulkChoice): Promise<void> {
    refusal = await confirmed({ title: `${words} this message?`, text: effect, yes: words, no: "Go back", look }, () =>
      api.act("/bulk-actions", { action, ids: [reference] }),
    );
    fresh.refresh();
  }

  const button = (choice: BulkChoice): ComponentChild =>
    h("button", { type: "button", class: choice.look, onClick: () => void act(choice) }, `${choice.words}…`);

  /** The buttons of a parked message, and what became of the last click. */
  const acts = ({ message, pending_act }: MessageLife): ComponentChildren => [
    h("p", { role: "status" }, pendingText(pending_act)),
    saidLine(refusal),
    message?.state === "parked" &&
      pending_act === undefined &&
      may(session, "runs:act") &&
      h("div", { class: "choices" }, messageActs.map(button)),
  ];

  const fresh = keepFresh<MessageLife>(place, {
    read: () => api.get<MessageLife>(`/messages/${encodeURIComponent(reference)}`, {}, signal),
    show: (life) => life && showContent([findForm(place, ""), lifeView(life, { now: api.now(), acts: acts(life) })]),
    pauseMs: (life) => (isOpen(life) ? refreshMs : life.reported ? undefined : unreportedMs),
  });
}

/** Whether something can still happen. */
const isOpen = ({ message, tasks }: MessageLife): boolean =>
  message?.state === "open" || message?.state === "parked" || tasks.some(({ task }) => task.ended_at === undefined);

function lifeView(
  life: MessageLife,
  { acts, now }: { readonly acts: ComponentChildren; readonly now: number },
): ComponentChild {
  const { message, names = {}, reference, reported, standing, tasks } = life;
  const task = tasks[0]?.task;
  const byTask = task ? taskLooks[task.state] : (["Unknown", "pending"] as const);
  const [words, look] = standing === undefined ? byTask : messageLooks[standing];
  const problem = message && whyUnanswered(message, task);
  return h(
    "div",
    { class: "life" },
    h(
      "header",
      { class: "surface" },
      h(
        "div",
        { class: "run-title" },
        h("h1", null, messageTitle(life, task)),
        h("span", { class: "state" }, stateChip(look, words)),
      ),
      acts,
      problem && look !== "succeeded" && h("p", { class: look === "failed" ? "said" : "muted" }, showUnseen(problem)),
      !reported &&
        h(
          "p",
          { class: "muted" },
          "Verification has not reported this message: it is new, the zone link is down, or its task began outside Slack.",
        ),
      facts(life, { names, now, reference }),
    ),
    waterfall(lifeStages(life, names), now),
  );
}

const found = (id: string, names?: NameOf): ComponentChild =>
  h("a", { href: `/console?find=${encodeURIComponent(id)}` }, personText(id, names));

function facts(
  { message, tasks: [newest, ...older] }: MessageLife,
  { names, now, reference }: { readonly names: NameOf; readonly now: number; readonly reference: string },
): ComponentChild {
  const { agent, created_at, run_id, task_id } = newest?.task ?? {};
  const own = [newest, ...older].filter((life) => life?.of_another !== true);
  const calls = own.flatMap((life) => life?.model_calls ?? []);
  const began = message?.received_at ?? created_at;
  return factList([
    ["Received", began && [exactTime(began), " (", timeMark(began, now), ")"]],
    ["Person", message && found(message.user_id, names)],
    ["Channel", message && found(message.channel, names)],
    ["Thread", message && threadLink(message)],
    ["Agent", agent && visibleLine(agent)],
    ["Models", calls.length > 0 && amountOfCalls(calls)],
    ["Run", run_id && h("a", { href: `/console/runs/${encodeURIComponent(run_id)}` }, "Open the run")],
    ["Reference", copyable(reference)],
    ["Task", task_id && copyable(task_id)],
  ]);
}

/** The local time, with the name of its zone. */
const exactTime = (at: string): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" });

/** To the millisecond, for a moment that the pointer rests on. */
const exactMoment = (at: number): string =>
  new Date(at).toLocaleString(undefined, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    timeZoneName: "short",
  });

/** The distances of the axis's lines, milliseconds. */
const distances = [1, 2, 5, 10, 20, 50, 100, 200, 500]
  .concat([1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800].map((seconds) => seconds * 1_000))
  .concat([1, 2, 4, 8, 12, 24, 48, 96, 192].map((hours) => hours * 3_600_000));
const mostLines = 6;

/** The stages as a table; the bars of one axis are for eyes alone, since the other columns say the same. */
function waterfall(stages: readonly Stage[], now: number): ComponentChild {
  const from = Math.min(...stages.map(({ start }) => start));
  const whole = Math.max(1, ...stages.map(({ end = now }) => end - from));
  const distance = distances.find((each) => whole / each < mostLines) ?? whole;
  const lines = Array.from({ length: Math.floor(whole / distance) + 1 }, (_, at) => at * distance);
  const percent = (ms: number): string => `${((ms / whole) * 100).toFixed(3)}%`;
  const head = (name: string): ComponentChild => h("th", { scope: "col" }, name);
  return h(
    "section",
    { class: "surface", "aria-labelledby": "waterfall" },
    h("h2", { id: "waterfall" }, "What happened"),
    h(
      "table",
      { class: "waterfall", "aria-labelledby": "waterfall" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          head("Stage"),
          h(
            "td",
            { class: "axis", "aria-hidden": "true" },
            lines.map((at) =>
              h(
                "span",
                { key: at, style: { insetInlineStart: percent(at) } },
                at > 0.9 * whole ? "" : durationText(at),
              ),
            ),
          ),
          ["After", "Took", "What"].map(head),
        ),
      ),
      h(
        "tbody",
        { style: { "--lines": percent(distance) } },
        stages.map((stage) => stageRow(stage, { from, now, percent })),
      ),
    ),
  );
}

function stageRow(
  { end, href, isPart, key, name, spans, start, state, text }: Stage,
  { from, now, percent }: { readonly from: number; readonly now: number; readonly percent: (ms: number) => string },
): ComponentChild {
  const parts = spans ?? [[start, end]];
  const ms = parts.reduce((sum, [began, ended = now]) => sum + ended - began, 0);
  const took = end === undefined ? clockText(ms) : durationText(ms);
  const bar = ([began, ended]: readonly [number, number | undefined]): ComponentChild => {
    const style = { insetInlineStart: percent(began - from), width: percent((ended ?? now) - began) };
    return h("span", { class: "bar", "data-open": ended === undefined, style });
  };
  return h(
    "tr",
    { key, "data-state": state, "data-part": isPart, "data-stage": name },
    h("th", { scope: "row" }, h("span", { class: "stage" }, stateMark(state), visibleLine(name))),
    h(
      "td",
      {
        class: "bars",
        "aria-hidden": "true",
        title: `${exactMoment(start)} – ${end === undefined ? "now" : exactMoment(end)}`,
      },
      parts.map(bar),
    ),
    h("td", { class: "after", title: exactMoment(start) }, `+${durationText(start - from)}`),
    h("td", { class: "took" }, took),
    h(
      "td",
      { class: "what" },
      h("span", { class: "for-ears" }, `${stateWords[state]}. `),
      href === undefined ? showUnseen(text) : h("a", { href }, showUnseen(text)),
    ),
  );
}

import type { Channel, Workspace } from "../../protocol/workspace.ts";
import { byId, h, icon } from "../frame/element.ts";
import { hasApp } from "../state/page-state.ts";

const examples = ["What is 12% of 340, in words?", "slow 8", "run publish-text: This is is a text."];

/** The content of an empty conversation. */
export interface WelcomeView {
  channel: Channel;
  name: string;
  workspace: Workspace;
  isEmpty: boolean;
}

/**
 * Mounts the text of an empty conversation: an introduction and clickable examples in a conversation with the bot, otherwise whether the
 * bot is a member. Returns a function that shows or hides it.
 */
export function mountWelcome(send: (text: string) => Promise<void>): (view: WelcomeView) => void {
  const slot = byId("welcome");
  let shown = "";
  return ({ channel, name, workspace, isEmpty }) => {
    slot.hidden = !isEmpty;
    const now = `${channel.id} ${channel.members.join()}`;
    if (!isEmpty || shown === now) return;
    shown = now;
    const hasBot = hasApp(channel, workspace);
    const isDirect = channel.kind === "im";
    slot.replaceChildren(
      h("div", { class: "welcome-sign" }, icon(isDirect ? "wall" : "messages")),
      h("h2", {}, isDirect ? `Talk to ${name}` : `This is the start of ${name}`),
      h("p", {}, isDirect && hasBot ? introduction(workspace) : channelHint(workspace, hasBot)),
      isDirect && hasBot ? drawExamples(send) : "",
    );
  };
}

const introduction = ({ app }: Workspace): string =>
  `This is a local Slack on this machine. Your messages are signed as Slack signs them, checked by the verification \
zone, and answered by an agent behind the wall. They leave this machine only if you connect a language model or an agent \
elsewhere. Ask ${app.name} something:`;

const channelHint = ({ app }: Workspace, hasBot: boolean): string =>
  hasBot
    ? `Write @${app.name} and your question. It answers in a thread.`
    : `${app.name} is not a member of this channel and gets no messages from it.`;

const drawExamples = (send: (text: string) => Promise<void>): HTMLElement =>
  h("div", { class: "chips" }, ...examples.map((text) => drawChip(text, () => send(text))));

/** Draws a button that sends a message, and is disabled meanwhile. */
function drawChip(label: string, send: () => Promise<void>): HTMLButtonElement {
  const chip = h("button", { class: "chip", type: "button", "data-testid": "example" }, label);
  chip.addEventListener("click", () => {
    chip.disabled = true;
    void send()
      .catch(() => undefined)
      .finally(() => (chip.disabled = false));
  });
  return chip;
}

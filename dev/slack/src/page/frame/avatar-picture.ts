import { avatarColour, initials } from "../text/avatar.ts";
import { h } from "./element.ts";
import { icon } from "./icon.ts";
import type { Reader } from "../state/reader.ts";

/** Draws a user's picture: coloured initials, or the sign of the two zones for the app. It is decoration, next to a name. */
export function drawAvatar(user: string, reader: Reader): HTMLElement {
  const isApp = user === reader.bot;
  return h(
    "span",
    { class: `avatar ${isApp ? "avatar-bot" : `avatar-${avatarColour(user)}`}`, "aria-hidden": "true" },
    isApp ? icon("wall") : initials(reader.names.get(user) ?? user),
  );
}

import type { Message } from "../../protocol/workspace.ts";
import { avatarColor, initials } from "../text/labels.ts";
import type { Reader } from "../text/names.ts";

/** An item of a list: plain data, identified by `key`. */
interface Keyed {
  key: string;
  /** Changes when the item must be redrawn; by default the whole item as JSON. */
  version?: string;
}

const drawn = new WeakMap<Element, string>();

/**
 * Makes the children of `parent` show `items`, and draws only new or changed ones: the others keep their focus, selection and open details.
 * An item must contain everything that its drawing depends on.
 */
export function reconcile<T extends Keyed>(parent: Element, items: readonly T[], draw: (item: T) => HTMLElement): void {
  const keys = new Set(items.map((item) => item.key));
  const present = new Map<string, Element>();
  for (const child of Array.from(parent.children)) {
    const key = child.getAttribute("data-key") ?? "";
    if (keys.has(key)) present.set(key, child);
    else child.remove();
  }
  for (const [index, item] of items.entries()) {
    const version = item.version ?? JSON.stringify(item);
    const before = present.get(item.key);
    const unchanged = before && drawn.get(before) === version;
    const child = unchanged ? before : draw(item);
    if (!unchanged) {
      child.setAttribute("data-key", item.key);
      drawn.set(child, version);
      if (before) replaceKeepingFocus(before, child);
    }
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  }
}

/** Replaces one drawing with another, and moves the focus to the control of the same name. */
function replaceKeepingFocus(before: Element, after: Element): void {
  const focused = before.contains(document.activeElement) ? document.activeElement?.getAttribute("data-testid") : null;
  before.replaceWith(after);
  if (focused) after.querySelector<HTMLElement>(`[data-testid="${CSS.escape(focused)}"]`)?.focus();
}

export type Child = Node | string | undefined | false;

/** Attributes of an element: a function is an event listener (`onclick`), `true` an empty attribute, `false` none. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/**
 * Makes an element. Strings become text nodes and attributes go through `setAttribute`, so message content is never parsed as markup.
 * Listeners are functions, never text.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** Returns the element with this id in `index.html`. Throws if it is missing, which is a bug in the page. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no element #${id}`);
  return element as T;
}

/** Draws an author's picture: colored initials, or the sign of the two zones for the app. It is decoration, next to a name. */
export function drawAvatar({ user, app_name }: Pick<Message, "user" | "app_name">, reader: Reader): HTMLElement {
  const isApp = user === reader.bot;
  const sign = isApp ? icon("wall") : initials(reader.names.get(user) ?? app_name ?? user);
  const avatar = h("span", { class: `avatar ${isApp ? "avatar-bot" : ""}`, "aria-hidden": "true" }, sign);
  if (!isApp) avatar.style.background = avatarColor(user);
  return avatar;
}

/** Outlines on a 20 × 20 grid, drawn in the color of the surrounding text. */
const outlines = {
  archive: "M3 5h14v3H3zM4.5 8v8h11V8M8 11h4",
  attach: "M13.5 6.5 8 12a1.8 1.8 0 0 0 2.6 2.6l5.2-5.3a3.4 3.4 0 0 0-4.8-4.8L5.4 10a5 5 0 0 0 7 7l4.4-4.4",
  close: "M5 5l10 10M15 5 5 15",
  connect: "M7 3v4M13 3v4M5 7h10v2.500a5 5 0 0 1-10 0zM10 14.500V18",
  eye: "M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5zM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
  file: "M5 2.5h6.5L15.5 7v10.5h-10.5zM11.5 2.5V7h4",
  hash: "M7.5 3 6 17M14 3l-1.5 14M3.5 7.5h14M2.5 12.5h14",
  image: "M3 4h14v12H3zM3 13l4-4 3.500 3.500L13 10l4 3.500M12.500 7.500h.01",
  link: "M8.5 11.5 11.5 8.5M9 6l2.2-2.2a3.5 3.5 0 0 1 5 5L14 11M11 14l-2.2 2.2a3.5 3.5 0 0 1-5-5L6 9",
  lock: "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  menu: "M3.500 5.500h13M3.500 10h13M3.500 14.500h13",
  messages: "M3 4h14v9.5H9L5.5 17v-3.500H3z",
  reply: "M3 4h14v9.5H9L5.5 17v-3.5H3zM6.5 7.500h7M6.5 10.200h4.5",
  send: "M3 16.5 17.5 10 3 3.5 5 10zM5 10h7",
  shared: "M7.500 4.500 2 10l5.500 5.500L13 10zM12.500 4.500 18 10l-5.500 5.500L7 10z",
  stop: "M5.5 5.500h9v9h-9z",
  table: "M3 4h14v12H3zM3 8h14M3 12h14M9 4v12",
  traffic: "M3 7h12l-3-3.500M17 13H5l3 3.5",
  trash: "M4 5.500h12M8 5.500V3.500h4v2M5.500 5.500l.7 11h7.6l.7-11",
  // The logo, `crosszone.svg`.
  wall: "M10 3.750v12.500M3.750 7.500h4.375M11.875 7.500h4.375M3.750 12.500h4.375M11.875 12.500h4.375",
} as const;

type IconName = keyof typeof outlines;

/** Draws an icon. It is decoration, so a text or a label must also state its meaning. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", outlines[name]);
  svg.append(path);
  return svg;
}

/** Draws the icon of every element with `data-icon`. */
export function drawStaticIcons(): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-icon]")) {
    element.prepend(icon(element.dataset["icon"] as IconName));
  }
}

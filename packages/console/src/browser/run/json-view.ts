import { h } from "../element.ts";

/** Longer values are shown on request only; they would block the page. Characters. */
const mostAtOnce = 20_000;

/** Shows any JSON as text, never as markup. A string is shown without quotes. */
export function jsonView(value: unknown): HTMLElement {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const pre = h("pre", { tabindex: 0 }, text.slice(0, mostAtOnce));
  if (text.length <= mostAtOnce) return pre;
  const more = h(
    "button",
    { type: "button", class: "quiet" },
    `Show all ${text.length.toLocaleString("en")} characters`,
  );
  more.addEventListener("click", () => {
    pre.textContent = text;
    more.remove();
  });
  return h("div", {}, pre, more);
}

/** A section of the panel with a value to read and copy. */
export function valueSection(title: string, value: unknown): HTMLElement {
  const copy = h("button", { type: "button", class: "quiet", "aria-label": `Copy ${title.toLowerCase()}` }, "Copy");
  copy.addEventListener("click", () => {
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    void navigator.clipboard.writeText(text).then(
      () => (copy.textContent = "Copied"),
      () => (copy.textContent = "Copying is blocked"),
    );
  });
  return h("section", { class: "part" }, h("div", { class: "part-head" }, h("h3", {}, title), copy), jsonView(value));
}

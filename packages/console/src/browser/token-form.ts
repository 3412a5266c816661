import { keepToken } from "./api/session-token.ts";
import { byId, h } from "./element.ts";

/** Replaces the content with a form for the token. `why` says what was wrong with the previous token. */
export function showTokenForm(why: string | undefined, onKept: () => void): void {
  const field = h("input", {
    type: "password",
    id: "token",
    name: "token",
    required: true,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "token-why token-where",
  });
  const form = h(
    "form",
    { class: "notice" },
    h("h1", {}, "Sign in"),
    h(
      "p",
      { id: "token-where" },
      "Paste one of AGENT_VIEW_TOKENS to view runs, or one of AGENT_ADMIN_TOKENS to cancel and retry them as well. The token stays in this tab until you close it.",
    ),
    h("p", { id: "token-why", class: "said", role: "alert" }, why),
    h("label", { for: "token" }, "Token"),
    field,
    h("button", { type: "submit", class: "primary" }, "View runs"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const token = field.value.trim();
    if (token === "") return;
    keepToken(token);
    onKept();
  });
  byId("content").replaceChildren(form);
  field.focus();
}

import type { ApiFault } from "./api/api-fault.ts";
import { byId, h } from "./element.ts";

const titles: Readonly<Record<string, string>> = {
  "api-off": "The API is off",
  "run-not-found": "There is no such run",
};

/** Says in the place of the content why there is none. */
export function showNotice({ kind, message }: ApiFault): void {
  const text =
    kind === "api-off"
      ? "Set AGENT_ADMIN_TOKENS for the execution zone (a token of 32 characters at least) and start it again. Nobody is let in without a token."
      : message;
  byId("content").replaceChildren(
    h(
      "section",
      { class: "notice", role: "alert" },
      h("h1", {}, titles[kind] ?? "This cannot be shown"),
      h("p", {}, text),
      h("p", {}, h("a", { href: "/runs" }, "All runs")),
    ),
  );
}

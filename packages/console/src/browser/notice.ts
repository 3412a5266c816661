import type { ApiFault } from "./api/api-fault.ts";
import { byId, h } from "./element.ts";

const titles: Readonly<Record<string, string>> = {
  "api-off": "The API is off",
  "run-not-found": "Run not found",
};

/** Replaces the content with an explanation. */
export function showNotice({ kind, message }: ApiFault): void {
  const text =
    kind === "api-off"
      ? "Set AGENT_ADMIN_TOKENS for the execution zone (each token has at least 32 characters) and restart it. The API always requires a token."
      : message;
  byId("content").replaceChildren(
    h(
      "section",
      { class: "notice", role: "alert" },
      h("h1", {}, titles[kind] ?? "This page can't be shown"),
      h("p", {}, text),
      h("p", {}, h("a", { href: "/runs" }, "All runs")),
    ),
  );
}

/** The built-in agent's introduction, in its help and in every answer to something it can't do. */
export const INTRODUCTION = "I'm the **built-in agent**: small programs, without a language model.";

/** How to connect a language model. */
export const CONNECT_MODEL =
  "No language model is connected: set `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `OPENAI_BASE_URL`.";

/** How to reach an agent that can do more. */
export const OTHER_AGENTS =
  "`/agents` lists the agents you can ask. To connect your own, see “Connect an agent” in `docs/agents.md`.";

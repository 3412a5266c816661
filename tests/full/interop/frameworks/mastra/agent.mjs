// A Mastra agent, served by the Hono adapter.
import { serve } from "@hono/node-server";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { createTool } from "@mastra/core/tools";
import { MastraServer } from "@mastra/hono";
import { InMemoryTaskStore } from "@mastra/server/a2a/store";
import { Hono } from "hono";
import { z } from "zod";

const { OPENAI_BASE_URL: url, OPENAI_API_KEY: apiKey, PORT } = process.env;
const look_up = createTool({
  id: "look_up",
  description: "Looks a word up.",
  inputSchema: z.object({ word: z.string() }),
  execute: async ({ word }) => `${word} means forty-two`,
});
const answer = new Agent({
  id: "answer",
  name: "answer",
  instructions: "Answer.",
  tools: { look_up },
  model: { id: "openai/gpt-4o-mini", url, apiKey },
});
const app = new Hono();
const mastra = new Mastra({ agents: { answer } });
await new MastraServer({ app, mastra, taskStore: new InMemoryTaskStore() }).init();
serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" });

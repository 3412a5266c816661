// An agent. Edit the answer: the agent restarts by itself.
import { serve } from "@crosszone/agent";

serve({ name: "Greeter", description: "Greets, and counts the words of a message.", port: 8090 }, ({ text }) => {
  return `Hello! You wrote ${text.split(/\s+/).filter(Boolean).length} words: ${text}`;
});

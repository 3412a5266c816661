import { capabilityOf, errorOf, type A2AAgent, type Call } from "../a2a/a2a-agent.ts";
import { demandError } from "../a2a/scenarios.ts";
import { demand, NotJudged, type Check } from "../run/check.ts";
import { quoted } from "../wire/json.ts";
import { endedTask } from "./tasks.ts";
import { a2a } from "./sources.ts";

export const pushChecks: readonly Check<A2AAgent>[] = [
  {
    id: "push-off",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Rejects push notifications that it does not offer",
    rule: "Without the capability pushNotifications in the card, calls about them get PushNotificationNotSupportedError.",
    source: a2a("334-capability-validation", "82-a2a-specific-errors"),
    fix: "Answer calls about push notifications with code -32003, or set the capability in the card.",
    needs: ["version-spoken", "card-members", "get-task"],
    judge: async (agent) => {
      if (capabilityOf(agent, "pushNotifications")) throw new NotJudged("The card offers push notifications.");
      const codes = agent.dialect.version === "1.0" ? [-32003] : [-32003, -32004, -32601];
      demandError(await setPush(agent), codes, "A push notification configuration");
    },
  },
  {
    id: "push-on",
    level: "must",
    title: "Takes push notifications that it offers",
    rule: "With the capability pushNotifications, the agent takes a configuration and returns it, or rejects the URL.",
    source: a2a("317-create-push-notification-config", "75-taskspushnotificationconfigset"),
    fix: "Serve the push notification methods, or take the capability out of the card.",
    needs: ["version-spoken", "card-members", "get-task"],
    judge: async (agent) => {
      if (!capabilityOf(agent, "pushNotifications")) throw new NotJudged("The card offers no push notifications.");
      const call = await setPush(agent);
      const code = errorOf(call)?.["code"];
      demand(![-32003, -32004, -32601].includes(code as number), `The call gets the error ${quoted(code)}.`, call);
    },
  },
];

async function setPush(agent: A2AAgent): Promise<Call> {
  const { id: taskId } = await endedTask(agent);
  const url = "https://example.com/webhook";
  const params =
    agent.dialect.version === "1.0" ? { taskId, id: "check", url } : { taskId, pushNotificationConfig: { url } };
  return agent.call("pushSet", params);
}

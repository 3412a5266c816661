// An agent with a side effect: `workflows/send-invoice.yaml` asks a person before it runs. This one sends nothing; yours may.
import { serve } from "@crosszone/agent";

serve({ name: "Billing", description: "Sends an invoice, after a person approved it.", port: 8091 }, ({ text }) => {
  return `Sent the invoice: ${text}`;
});

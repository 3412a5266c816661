import { runChecks, type CheckResult, type SectionPlan } from "@crosszone/service-kit/doctor";

/** Runs a zone's doctor as its command does; gives what each check found, by its name. */
export async function consultDoctor({ checks, skip }: SectionPlan): Promise<Record<string, CheckResult>> {
  const results = await runChecks(checks, { timeoutMs: 15_000, ...(skip && { skip }) });
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

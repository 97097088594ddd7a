import * as z from "zod";

/**
 * What an agent may act as. The first four come from the protocol; `operator` is a person, and
 * `runtime` is Sworn itself, which also signs the checkpoints.
 */
export const ROLES = ["planner", "executor", "critic", "auditor", "operator", "runtime"] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/** How much ceremony a session asks for; the profile only sets thresholds. */
export const Profile = z.enum(["solo", "team", "strict"]);
export type Profile = z.infer<typeof Profile>;

/** Lowest first: thresholds compare by position. */
export const RISK_CLASSES = ["low", "medium", "high", "critical"] as const;
export const RiskClass = z.enum(RISK_CLASSES);
export type RiskClass = z.infer<typeof RiskClass>;

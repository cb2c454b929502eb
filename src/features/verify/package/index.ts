/**
 * `usher/verify`: checks the admission tokens that Usher hands to apps and to sites, and lets requests pass by them: in Express, Koa and Fastify, and
 * wherever else a request has a method, an address and headers. Needs nothing of Usher but its address: the keys are fetched from its JWKS and kept.
 */
export type { CrawlerCheck, RuleAction, WrittenRule } from "../../../lib/rules/index.ts";
export {
  type AdmissionGate,
  type AdmissionGateOptions,
  type AnsweredRequest,
  createAdmissionGate,
  type GateRequest,
  type PassedRequest,
  type SiteAdmission,
} from "./gate.ts";
export { expressAdmission, fastifyAdmission, koaAdmission, type WithAdmission } from "./middlewares.ts";
export {
  type AdmissionClaims,
  AdmissionRefusedError,
  type AdmissionVerifierOptions,
  createAdmissionVerifier,
  type RefusalReason,
  type VerifyAdmission,
} from "./verifier.ts";

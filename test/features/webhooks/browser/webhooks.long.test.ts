// Long: changes, dead letters and roles; the quick one makes a webhook, and tests it.
import "./webhooks.test.ts";

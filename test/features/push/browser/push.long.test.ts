// Long: subscriptions that change, fail or are refused; the quick one has a visitor who is woken twice.
import "./push.test.ts";

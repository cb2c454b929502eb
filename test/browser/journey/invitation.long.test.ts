// Long: links that are bad or early; the quick one has a good one.
import "./invitation.test.ts";

// Long: a sign-in that is refused; the quick one has one that goes well.
import "./identity.test.ts";

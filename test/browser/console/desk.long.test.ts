// Long: rarer questions at the box office, and links; the quick one finds a visitor.
import "./desk.test.ts";

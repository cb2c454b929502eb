// Long: roles and looks; the quick one ends sessions.
import "./people.test.ts";
